/** Requests that work as they stand, but for the ids in them. A test sends the bodies through the schemas. */
export const examples = {
  me: {
    answer: { principal: 'token:7f3k', kind: 'token', operator: false, workspaces: [{ id: 'acme', name: 'Acme', role: null, scopes: ['goals:read', 'goals:write'] }] },
  },
  create: {
    body: {
      type: 'goal.create',
      commandId: 'create-1',
      payload: {
        mode: 'goal_only',
        confirmed: true,
        contract: {
          title: 'Quarterly report',
          objective: 'A report on the quarter, in Markdown.',
          criteria: [{ id: 'said', text: 'The owner says that it is good', verify: 'attest' }],
        },
      },
    },
  },
  answer: { body: { type: 'blocker.resolve', commandId: 'answer-1', payload: { blocker: 'spreadsheet_program', answer: { program: 'excel-zh' } } } },
  secret: { body: { type: 'secret.put', commandId: 'secret-1', payload: { name: 'main-key', value: 'the value, which no answer holds' } } },
  token: { body: { type: 'token.issue', commandId: 'token-1', payload: { name: 'ci', scopes: ['goals:read', 'work:submit'], expiresInDays: 30 } } },
};
