/** What this installation says of itself to other agents. It is the same for everybody, and names no workspace. */
import type { AgentCard } from '@a2a-js/sdk';

export const a2aPath = '/a2a';

export function agentCard(origin: string): AgentCard {
  const at = (protocolVersion: string) => ({ url: `${origin}${a2aPath}`, protocolBinding: 'JSONRPC', tenant: '', protocolVersion });
  const modes = ['text/plain', 'application/json'];
  return {
    name: 'Longhaul',
    description: 'Takes on long work: a sentence or a contract becomes a goal with criteria, and the task is completed when every criterion is proven.',
    supportedInterfaces: [at('1.0'), at('0.3')],
    provider: undefined,
    version: '1',
    capabilities: { streaming: true, pushNotifications: false, extensions: [], extendedAgentCard: false },
    securitySchemes: {
      bearer: {
        scheme: {
          $case: 'httpAuthSecurityScheme',
          value: { scheme: 'Bearer', bearerFormat: '', description: 'A token of a workspace. It says which workspace, and what may be done there.' },
        },
      },
    },
    securityRequirements: [{ schemes: { bearer: { list: [] } } }],
    defaultInputModes: modes,
    defaultOutputModes: modes,
    skills: [
      {
        id: 'goal',
        name: 'Pursue a goal',
        description:
          'Say in a sentence what is to be delivered, or send a contract as data. The draft waits to be confirmed; questions come as input-required; deliveries that were accepted are artifacts.',
        tags: ['long-running', 'verification'],
        examples: ['Reconcile the supplier invoices of March against the bank statement.'],
        inputModes: modes,
        outputModes: modes,
        securityRequirements: [],
      },
    ],
    signatures: [],
  };
}
