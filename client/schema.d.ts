/** Written by scripts/generate-client.ts. Change the schemas of the routes, not this file. */
export interface paths {
    "/healthz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether the Worker answers */
        get: operations["isUp"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** This contract */
        get: operations["getContract"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/ways": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Which ways to sign in there are */
        get: operations["authWays"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/sign-up/email": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sign up with e-mail and password; a mail confirms the address */
        post: operations["signUp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/sign-in/email": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sign in with e-mail and password */
        post: operations["signIn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/sign-in/social": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Begin to sign in with an account elsewhere */
        post: operations["signInElsewhere"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/callback/{provider}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                provider: string;
            };
            cookie?: never;
        };
        /** Back from there */
        get: operations["signedInElsewhere"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/error": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What went wrong there */
        get: operations["signingInFailed"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/sign-out": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sign out */
        post: operations["signOut"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/get-session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The session of the cookie */
        get: operations["getSession"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/list-sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Where one is signed in */
        get: operations["listSessions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/revoke-session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sign out there */
        post: operations["revokeSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/revoke-other-sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sign out everywhere else */
        post: operations["revokeOtherSessions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/revoke-sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sign out everywhere */
        post: operations["revokeSessions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/send-verification-email": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send the mail that confirms the address again */
        post: operations["sendVerificationEmail"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/verify-email": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The link of that mail */
        get: operations["verifyEmail"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/request-password-reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Ask for a mail to set a new password */
        post: operations["requestPasswordReset"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/reset-password/{token}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                token: string;
            };
            cookie?: never;
        };
        /** The link of that mail */
        get: operations["openPasswordReset"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/reset-password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Set a new password; signs out everywhere */
        post: operations["resetPassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/change-password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Change the password, knowing the old one */
        post: operations["changePassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/update-user": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Change the own name */
        post: operations["updateUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/passkey/add-options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Begin to add a passkey; needs a session of the last day */
        post: operations["authPasskeyAddOptions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/passkey/add": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Add the passkey that the browser made */
        post: operations["authPasskeyAdd"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/passkey/list": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The own passkeys: names, when made and last used */
        get: operations["authPasskeyList"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/passkey/remove": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Remove one of the own passkeys */
        post: operations["authPasskeyRemove"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/passkey/sign-in-options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Begin to sign in with a passkey */
        post: operations["authPasskeySignInOptions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/passkey/sign-in": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sign in with the passkey that the browser offers */
        post: operations["authPasskeySignIn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/agent-card.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A2A: what this agent is, and where it is asked
         * @description The card of A2A.
         */
        get: operations["getAgentCard"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/a2a": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A2A over JSON-RPC, 1.0 and 0.3: goals as tasks ([a2a.md](a2a.md))
         * @description A2A over JSON-RPC 2.0. The messages are those of the protocol; the SDKs of A2A speak them.
         */
        post: operations["askAgent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Who the credential says you are, and in which workspaces */
        get: operations["getMe"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/mcp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** No stream: 405 */
        get: operations["noStream"];
        put?: never;
        /**
         * Longhaul as an MCP server; each tool asks a route of this table for the same caller
         * @description MCP over streamable HTTP, without sessions. The messages are those of the protocol; the SDKs of MCP speak them. A refusal is the error of a tool.
         */
        post: operations["callTool"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Make a workspace and own it */
        post: operations["createWorkspace"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/me/erase": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Erase your account for good; the e-mail address is repeated
         * @description For good. The own e-mail address is repeated.
         */
        post: operations["eraseMe"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/erasures": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Erasures that you asked for, with their receipts */
        get: operations["listErasures"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/erasures/{erasure}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                erasure: string;
            };
            cookie?: never;
        };
        /** One erasure and its receipt */
        get: operations["getErasure"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/operator/people/{person}/erase": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                person: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Erase a person on their behalf, for who runs the installation */
        post: operations["erasePerson"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/invitations/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Accept the invitation of a link */
        post: operations["acceptInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspace}/people/commands": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give a command about people and tokens
         * @description One command about people and tokens. Signed-in persons alone give these.
         */
        post: operations["givePeopleCommand"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspace}/members": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace: string;
            };
            cookie?: never;
        };
        /** Members and their roles */
        get: operations["listMembers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspace}/names": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace: string;
            };
            cookie?: never;
        };
        /** What people and tokens are called; no address */
        get: operations["listNames"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspace}/invitations": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace: string;
            };
            cookie?: never;
        };
        /** Invitations that are open */
        get: operations["listInvitations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspace}/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace: string;
            };
            cookie?: never;
        };
        /** Tokens: what they may do, when they were last used */
        get: operations["listTokens"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspace}/people/log": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace: string;
            };
            cookie?: never;
        };
        /** What was changed about people and tokens, newest first */
        get: operations["listPeopleLog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/operator/counters": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Counters, for who runs the installation */
        get: operations["getCounters"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/operator/workspaces/{workspace}/quotas": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set quotas of one workspace, for who runs the installation
         * @description Null goes back to what holds for all. It is in the audit of the workspace.
         */
        post: operations["setQuotas"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspace}/commands": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give a command on the settings of the workspace
         * @description One command on the settings of the workspace.
         */
        post: operations["giveWorkspaceCommand"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspace}/settings": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace: string;
            };
            cookie?: never;
        };
        /** Providers, profiles, MCP servers, outgoing hosts, policy, budget */
        get: operations["getSettings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspace}/secrets": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace: string;
            };
            cookie?: never;
        };
        /** Names of secrets, when set and by whom; never a value */
        get: operations["listSecrets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspace}/webhook-deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace: string;
            };
            cookie?: never;
        };
        /** What was sent to endpoints, with every try, newest first; and how the endpoints stand */
        get: operations["listWebhookDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspace}/webhook-deliveries/{seq}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace: string;
                seq: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send a delivery again, under its id and with its body */
        post: operations["replayWebhookDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspace}/audit": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace: string;
            };
            cookie?: never;
        };
        /** Who changed what of the workspace, newest first */
        get: operations["listAudit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspace}/export": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace: string;
            };
            cookie?: never;
        };
        /** Everything the workspace has as one tar; secrets by name alone */
        get: operations["exportWorkspace"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspace}/audit/verify": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace: string;
            };
            cookie?: never;
        };
        /**
         * Whether the audit is whole: every row against the chain
         * @description Every row against the chain, and its head against the one that is kept apart. It answers 200 whatever it finds: `ok` says it.
         */
        get: operations["verifyAudit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspace}/audit/export": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace: string;
            };
            cookie?: never;
        };
        /** The audit as NDJSON, which can be verified anywhere, or as CSV */
        get: operations["exportAudit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspace}/usage": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace: string;
            };
            cookie?: never;
        };
        /** What was used of the budget, by day and goal */
        get: operations["getUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspace}/templates": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace: string;
            };
            cookie?: never;
        };
        /** Templates: the newest version of each and the confirmed one */
        get: operations["listTemplates"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspace}/templates/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace: string;
                name: string;
            };
            cookie?: never;
        };
        /** One template: its versions, and the document of one */
        get: operations["getTemplate"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspace}/templates/{name}/figures": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace: string;
                name: string;
            };
            cookie?: never;
        };
        /** How each item went in the goals made of it: returns, time, cost */
        get: operations["getTemplateFigures"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspace}/templates/{name}/goals": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace: string;
                name: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a goal from a template
         * @description The same command id again is the same goal. A dry run answers what `goal.create` would be given.
         */
        post: operations["createGoalFromTemplate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspace}/triggers": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace: string;
            };
            cookie?: never;
        };
        /** Triggers: next times, last business rounds, what is unfinished */
        get: operations["listTriggers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspace}/triggers/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace: string;
                name: string;
            };
            cookie?: never;
        };
        /** One trigger */
        get: operations["getTrigger"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspace}/triggers/{name}/rounds": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace: string;
                name: string;
            };
            cookie?: never;
        };
        /** Business rounds of a trigger, newest first */
        get: operations["listBusinessRounds"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspace}/business-rounds/{round}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace: string;
                round: string;
            };
            cookie?: never;
        };
        /** One business round: what it was fired with, what it waits for, what came late */
        get: operations["getBusinessRound"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspace}/triggers/{name}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace: string;
                name: string;
            };
            cookie?: never;
        };
        /** Deliveries of a webhook, newest first */
        get: operations["listDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspace}/trigger-tests": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Try a trigger and a payload: next times, filter, mapping; nothing fires */
        post: operations["testTrigger"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/hooks/{workspace}/{hook}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace: string;
                hook: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A delivery of a webhook; its signature says whose
         * @description A delivery of a webhook: the raw body, signed as its trigger expects. 202 for one that is new, 200 for one that came before, and for the challenge of a chat.
         */
        post: operations["deliver"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspace}/goals": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace: string;
            };
            cookie?: never;
        };
        /** Goals, newest first */
        get: operations["listGoals"];
        put?: never;
        /**
         * Create a goal, from a contract or from a sentence
         * @description The envelope of `goal.create` or `goal.propose`, or the payload of one of them alone under an `Idempotency-Key`. The same command id again is the same goal.
         */
        post: operations["createGoal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspace}/goals/{goal}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace: string;
                goal: string;
            };
            cookie?: never;
        };
        /** The goal bar and the contract */
        get: operations["getGoal"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspace}/goals/{goal}/commands": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace: string;
                goal: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give a command
         * @description One command of the closed catalogue, told apart by `type`. Who may give which is in `x-by` of each: a scope of the caller; what only rounds or the host give is refused from outside as `forbidden`. A refusal changes nothing.
         */
        post: operations["giveCommand"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspace}/goals/{goal}/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace: string;
                goal: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * goal.confirm
         * @description The command `goal.confirm` without a payload. The body may hold `expected`, `reason`, `commandId` and `dryRun`.
         */
        post: operations["confirmGoal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspace}/goals/{goal}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace: string;
                goal: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * goal.pause
         * @description The command `goal.pause` without a payload. The body may hold `expected`, `reason`, `commandId` and `dryRun`.
         */
        post: operations["pauseGoal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspace}/goals/{goal}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace: string;
                goal: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * goal.resume
         * @description The command `goal.resume` without a payload. The body may hold `expected`, `reason`, `commandId` and `dryRun`.
         */
        post: operations["resumeGoal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspace}/goals/{goal}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace: string;
                goal: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * goal.cancel
         * @description The command `goal.cancel` without a payload. The body may hold `expected`, `reason`, `commandId` and `dryRun`.
         */
        post: operations["cancelGoal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspace}/goals/{goal}/posts": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace: string;
                goal: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** This goal says something to another of its workspace */
        post: operations["postToGoal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspace}/goals/{goal}/graph": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace: string;
                goal: string;
            };
            cookie?: never;
        };
        /** The graph view */
        get: operations["getGraph"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspace}/goals/{goal}/plan-imports": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace: string;
                goal: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Read a plan of another tool (Taskmaster, beads, spec-kit, check list) as a plan document, with a report; with `propose` it is proposed
         * @description The file of another tool as the body. With `propose` the plan document is proposed, under an `Idempotency-Key`; adopted it is by nobody.
         */
        post: operations["importPlan"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspace}/goals/{goal}/items/{key}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace: string;
                goal: string;
                key: string;
            };
            cookie?: never;
        };
        /** One work item with every submission and verdict */
        get: operations["getItem"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspace}/goals/{goal}/items/{key}/assignment": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace: string;
                goal: string;
                key: string;
            };
            cookie?: never;
        };
        /**
         * Who holds an item, until when, and what the work starts from
         * @description What an executor outside works from: who holds the item, under which fence and until when; the spec, the inputs, and why earlier deliveries came back.
         */
        get: operations["getAssignment"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspace}/goals/{goal}/items/{key}/token": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace: string;
                goal: string;
                key: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A token for the Attempt that one holds, for an agent outside
         * @description For who holds the item: a token that may act for exactly this Attempt under exactly this fence. Asking again gives the same text.
         */
        post: operations["issueAttemptToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspace}/goals/{goal}/items/{key}/history": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace: string;
                goal: string;
                key: string;
            };
            cookie?: never;
        };
        /** How often it ran, what it delivered, why each delivery came back */
        get: operations["getItemHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspace}/goals/{goal}/events": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace: string;
                goal: string;
            };
            cookie?: never;
        };
        /** Events in order; `wait` holds the answer until there is one */
        get: operations["listEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspace}/goals/{goal}/record": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace: string;
                goal: string;
            };
            cookie?: never;
        };
        /** Rows of the record of one kind */
        get: operations["listRecord"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspace}/goals/{goal}/next": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace: string;
                goal: string;
            };
            cookie?: never;
        };
        /** What moves this next, and who? */
        get: operations["getNext"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspace}/goals/{goal}/resume-packet": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace: string;
                goal: string;
            };
            cookie?: never;
        };
        /** What a new round starts from */
        get: operations["getResumePacket"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspace}/goals/{goal}/doctor": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace: string;
                goal: string;
            };
            cookie?: never;
        };
        /** State, timers, lanes and the next mover */
        get: operations["getDoctor"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspace}/goals/{goal}/facts/{key}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace: string;
                goal: string;
                key: string;
            };
            cookie?: never;
        };
        /**
         * One fact with its provenance
         * @description The key may hold slashes.
         */
        get: operations["getFact"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspace}/goals/{goal}/template-draft": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace: string;
                goal: string;
            };
            cookie?: never;
        };
        /** A draft of a template from a finished goal, with what was of the case as parameters */
        get: operations["draftTemplate"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspace}/goals/{goal}/evidence": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace: string;
                goal: string;
            };
            cookie?: never;
        };
        /** What rests on a piece of evidence, however far */
        get: operations["getEvidence"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspace}/goals/{goal}/asked-decisions": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace: string;
                goal: string;
            };
            cookie?: never;
        };
        /** Decisions whose evidence fell, put up for a new verdict */
        get: operations["listAskedDecisions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspace}/goals/{goal}/body/{digest}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace: string;
                goal: string;
                digest: string;
            };
            cookie?: never;
        };
        /** A text or value that the record refers to by digest */
        get: operations["getBody"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspace}/goals/{goal}/artifacts/{digest}/link": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace: string;
                goal: string;
                digest: string;
            };
            cookie?: never;
        };
        /**
         * Sends a browser on to the address of a file that is for this once and knows nobody
         * @description For a browser: sends on to an address of the file that is good for some minutes and knows nobody.
         */
        get: operations["linkFile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/files/{link}/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                link: string;
                name: string;
            };
            cookie?: never;
        };
        /** A file, by a link that was signed some minutes ago; no credential is looked at */
        get: operations["getLinkedFile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspace}/goals/{goal}/artifacts/{digest}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace: string;
                goal: string;
                digest: string;
            };
            cookie?: never;
        };
        /** The bytes of a file */
        get: operations["getFile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspace}/goals/{goal}/files/{path}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace: string;
                goal: string;
                path: string;
            };
            cookie?: never;
        };
        get?: never;
        /**
         * Store a source file; by the token of an Attempt, a file that it may submit
         * @description The path may hold slashes. At most 25 MB. `Content-Digest` is compared where it is sent.
         */
        put: operations["putFile"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspace}/goals/{goal}/socket": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace: string;
                goal: string;
            };
            cookie?: never;
        };
        /**
         * The live view over a WebSocket
         * @description A snapshot first, or with `after` what happened since; then one update for each commit. `{"kind":"renew"}` within five minutes keeps it open.
         */
        get: operations["watchGoal"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspace}/goals/{goal}/stream": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace: string;
                goal: string;
            };
            cookie?: never;
        };
        /**
         * The live view as server-sent events
         * @description The frames of the socket, each the `data` of one event whose `id` is its `seq`. Send the last one as `Last-Event-ID` to go on where it broke off; after too long a snapshot comes again.
         */
        get: operations["streamGoal"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspace}/socket": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace: string;
            };
            cookie?: never;
        };
        /**
         * The lists of the workspace, live, over a WebSocket
         * @description The lists of the workspace: a snapshot of its goals first, or with `after` those that changed since; then those that change, several in one frame.
         */
        get: operations["watchGoals"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspace}/stream": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace: string;
            };
            cookie?: never;
        };
        /**
         * The lists of the workspace, live, as server-sent events
         * @description The frames of the socket of the workspace as server-sent events.
         */
        get: operations["streamGoals"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspace}/goals/{goal}/export": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace: string;
                goal: string;
            };
            cookie?: never;
        };
        /** The goal as one archive: journal, texts, files, sealed by digests */
        get: operations["exportGoal"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspace}/goals/import": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Bring in an archive; a newer record is never overwritten */
        post: operations["importGoal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspace}/goals/{goal}/erase": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace: string;
                goal: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Delete a goal and all its content for good */
        post: operations["eraseGoal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspace}/goals/{goal}/rebuild": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace: string;
                goal: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Derive the record anew from the journal and send it to the book again */
        post: operations["rebuildGoal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspace}/rebuild": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The same for all goals of the workspace, some at a time */
        post: operations["rebuildWorkspace"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspace}/goals/{goal}/compare": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace: string;
                goal: string;
            };
            cookie?: never;
        };
        /** Whether the book has of the goal what its record says */
        get: operations["compareGoal"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspace}/dead-letters": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace: string;
            };
            cookie?: never;
        };
        /** Hand-overs of the queue that were given up */
        get: operations["listDeadLetters"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspace}/goals/{goal}/usage": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace: string;
                goal: string;
            };
            cookie?: never;
        };
        /** What models used for a goal: tokens and money, by item, lane, profile and model */
        get: operations["getGoalUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspace}/goals/{goal}/ledger": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace: string;
                goal: string;
            };
            cookie?: never;
        };
        /** Decisions of a goal; `evidence` gives those that rest on it */
        get: operations["listGoalLedger"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspace}/providers/{name}/test": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace: string;
                name: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A test call to a provider of models, with a tool call */
        post: operations["testProvider"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspace}/mcp/{name}/test": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace: string;
                name: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** What a remote MCP server offers, and what of the list of its tools can be used */
        post: operations["testServer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspace}/notifications": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace: string;
            };
            cookie?: never;
        };
        /** What you are written of, and whether this installation can write */
        get: operations["getNotifications"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspace}/links/open": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Open the decision of a signed link, once, as the person it is for */
        post: operations["openLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspace}/progress-links": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace: string;
            };
            cookie?: never;
        };
        /** Read-only pages of goals that were given out, with their links */
        get: operations["listProgressLinks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/progress/{workspace}/{link}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace: string;
                link: string;
            };
            cookie?: never;
        };
        /** How far a goal is, for whoever has its progress link; no credential is looked at */
        get: operations["readProgress"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspace}/chats/{name}/test": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace: string;
                name: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Post a test message to a chat, now */
        post: operations["testChat"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspace}/models/catalogue": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace: string;
            };
            cookie?: never;
        };
        /** Models of a provider: context window, longest output, prices */
        get: operations["listModels"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspace}/ledger": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace: string;
            };
            cookie?: never;
        };
        /** Decisions of the workspace */
        get: operations["listLedger"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspace}/goals/{goal}/executions": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace: string;
                goal: string;
            };
            cookie?: never;
        };
        /** History of executions of a goal, newest first */
        get: operations["listGoalExecutions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspace}/executions": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace: string;
            };
            cookie?: never;
        };
        /** History of executions of the workspace, newest first */
        get: operations["listExecutions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspace}/goals/{goal}/versions": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace: string;
                goal: string;
            };
            cookie?: never;
        };
        /** History of versions of a goal, newest first */
        get: operations["listGoalVersions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspace}/versions": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace: string;
            };
            cookie?: never;
        };
        /** History of versions of the workspace, newest first */
        get: operations["listVersions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspace}/goals/{goal}/proposals": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace: string;
                goal: string;
            };
            cookie?: never;
        };
        /** History of proposals of a goal, newest first */
        get: operations["listGoalProposals"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspace}/proposals": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace: string;
            };
            cookie?: never;
        };
        /** History of proposals of the workspace, newest first */
        get: operations["listProposals"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspace}/goals/{goal}/plans": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace: string;
                goal: string;
            };
            cookie?: never;
        };
        /** History of plans of a goal, newest first */
        get: operations["listGoalPlans"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspace}/plans": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace: string;
            };
            cookie?: never;
        };
        /** History of plans of the workspace, newest first */
        get: operations["listPlans"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspace}/goals/{goal}/items": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace: string;
                goal: string;
            };
            cookie?: never;
        };
        /** History of items of a goal, newest first */
        get: operations["listGoalItems"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspace}/items": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace: string;
            };
            cookie?: never;
        };
        /** History of items of the workspace, newest first */
        get: operations["listItems"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspace}/goals/{goal}/assignments": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace: string;
                goal: string;
            };
            cookie?: never;
        };
        /** History of assignments of a goal, newest first */
        get: operations["listGoalAssignments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspace}/assignments": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace: string;
            };
            cookie?: never;
        };
        /** History of assignments of the workspace, newest first */
        get: operations["listAssignments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspace}/goals/{goal}/attempts": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace: string;
                goal: string;
            };
            cookie?: never;
        };
        /** History of attempts of a goal, newest first */
        get: operations["listGoalAttempts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspace}/attempts": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace: string;
            };
            cookie?: never;
        };
        /** History of attempts of the workspace, newest first */
        get: operations["listAttempts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspace}/goals/{goal}/submissions": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace: string;
                goal: string;
            };
            cookie?: never;
        };
        /** History of submissions of a goal, newest first */
        get: operations["listGoalSubmissions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspace}/submissions": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace: string;
            };
            cookie?: never;
        };
        /** History of submissions of the workspace, newest first */
        get: operations["listSubmissions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspace}/goals/{goal}/reviews": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace: string;
                goal: string;
            };
            cookie?: never;
        };
        /** History of reviews of a goal, newest first */
        get: operations["listGoalReviews"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspace}/reviews": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace: string;
            };
            cookie?: never;
        };
        /** History of reviews of the workspace, newest first */
        get: operations["listReviews"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspace}/goals/{goal}/acceptances": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace: string;
                goal: string;
            };
            cookie?: never;
        };
        /** History of acceptances of a goal, newest first */
        get: operations["listGoalAcceptances"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspace}/acceptances": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace: string;
            };
            cookie?: never;
        };
        /** History of acceptances of the workspace, newest first */
        get: operations["listAcceptances"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspace}/goals/{goal}/rounds": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace: string;
                goal: string;
            };
            cookie?: never;
        };
        /** History of rounds of a goal, newest first */
        get: operations["listGoalRounds"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspace}/rounds": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace: string;
            };
            cookie?: never;
        };
        /** History of rounds of the workspace, newest first */
        get: operations["listRounds"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspace}/goals/{goal}/blockers": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace: string;
                goal: string;
            };
            cookie?: never;
        };
        /** History of blockers of a goal, newest first */
        get: operations["listGoalBlockers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspace}/blockers": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace: string;
            };
            cookie?: never;
        };
        /** History of blockers of the workspace, newest first */
        get: operations["listBlockers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspace}/goals/{goal}/waits": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace: string;
                goal: string;
            };
            cookie?: never;
        };
        /** History of waits of a goal, newest first */
        get: operations["listGoalWaits"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspace}/waits": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace: string;
            };
            cookie?: never;
        };
        /** History of waits of the workspace, newest first */
        get: operations["listWaits"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspace}/goals/{goal}/approvals": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace: string;
                goal: string;
            };
            cookie?: never;
        };
        /** History of approvals of a goal, newest first */
        get: operations["listGoalApprovals"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspace}/approvals": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace: string;
            };
            cookie?: never;
        };
        /** History of approvals of the workspace, newest first */
        get: operations["listApprovals"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspace}/goals/{goal}/effects": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace: string;
                goal: string;
            };
            cookie?: never;
        };
        /** History of effects of a goal, newest first */
        get: operations["listGoalEffects"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspace}/effects": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace: string;
            };
            cookie?: never;
        };
        /** History of effects of the workspace, newest first */
        get: operations["listEffects"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        AcceptInvitationBody: {
            secret: string;
        };
        /** @description An acceptance falls; says why, with evidence. */
        AcceptanceInvalidate: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "acceptance.invalidate";
            commandId?: string;
            /** @default {} */
            expected?: components["schemas"]["Expected"];
            payload: {
                acceptance: string;
                scene: {
                    summary: string;
                    missing?: string[];
                    extra?: string[];
                    findings?: {
                        where: string;
                        expected?: string;
                        actual?: string;
                    }[];
                    data?: components["schemas"]["Json"];
                };
                /** @default [] */
                evidence?: string[];
            };
            reason?: string;
            /** @default false */
            dryRun?: boolean;
        };
        /** @description Make a proposed amendment the next version, or leave the contract as it is. */
        AmendmentDecide: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "amendment.decide";
            commandId?: string;
            /** @default {} */
            expected?: components["schemas"]["Expected"];
            payload: {
                amendment: string;
                /** @enum {string} */
                decision: "confirmed" | "rejected";
            };
            reason?: string;
            /** @default false */
            dryRun?: boolean;
        };
        Applied: {
            /** @constant */
            outcome: "applied";
            goal: string;
            seq: number;
            events: components["schemas"]["Event"][];
            goalVersion: number;
            planRevision: number;
            itemVersion?: number;
            result: components["schemas"]["Json"];
            replayed: boolean;
            dryRun: boolean;
            allowedNext?: string[];
        };
        /** @description Approve or refuse one exact call. */
        ApprovalDecide: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "approval.decide";
            commandId?: string;
            /** @default {} */
            expected?: components["schemas"]["Expected"];
            payload: {
                approval: string;
                /** @enum {string} */
                decision: "approved" | "refused";
                callDigest: string;
            };
            reason?: string;
            /** @default false */
            dryRun?: boolean;
        };
        /** @description Ask a person for one exact call. */
        ApprovalRequest: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "approval.request";
            commandId?: string;
            /** @default {} */
            expected?: components["schemas"]["Expected"];
            payload: {
                call: {
                    tool: string;
                    args: components["schemas"]["Json"];
                    subject: string;
                    /** @enum {string} */
                    effect: "none" | "record" | "outside";
                    /** @default [] */
                    factOnly?: string[];
                    timeoutMs?: number;
                    reserve?: {
                        tokens: number;
                        money: number;
                        currency?: string;
                    };
                    /** @enum {string} */
                    otherwise?: "allow" | "ask";
                    probe?: components["schemas"]["Json"];
                };
            };
            reason?: string;
            /** @default false */
            dryRun?: boolean;
        };
        /** @description Name a stored file; its bytes are already under the digest. */
        ArtifactPut: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "artifact.put";
            commandId?: string;
            /** @default {} */
            expected?: components["schemas"]["Expected"];
            payload: {
                artifact: components["schemas"]["FileInput"];
                /** @enum {string} */
                role: "source" | "working" | "deliverable";
            };
            reason?: string;
            /** @default false */
            dryRun?: boolean;
        };
        AskAgentAnswer: {
            /** @constant */
            jsonrpc: "2.0";
        } & {
            [key: string]: unknown;
        };
        AskAgentBody: {
            /** @constant */
            jsonrpc: "2.0";
            method: string;
            id?: string | number | null;
            params?: {
                [key: string]: unknown;
            };
        } & {
            [key: string]: unknown;
        };
        AskedDecisions: {
            count: number;
            data: components["schemas"]["Decision"][];
            seq: number;
        };
        Assignment: {
            item: {
                key: string;
                title: string;
                objective: string;
                deliverable: string;
                acceptance: {
                    id: string;
                    text: string;
                }[];
                covers: string[];
                inputs: string[];
                input: components["schemas"]["Json"];
                attempt: string;
                attemptNumber: number;
                specDigest: string;
            };
            holder: string;
            fence: number;
            /** @enum {string} */
            state: "pending" | "running" | "succeeded" | "failed" | "interrupted" | "lost" | "cancelled";
            leaseUntil: number | null;
            claimedVersion: number;
            goalVersion: number;
            planRevision: number;
            contract: components["schemas"]["Contract"] | null;
            packet: components["schemas"]["ResumePacket"];
            sources: components["schemas"]["File"][];
            upstream: {
                item: string;
                submission: string;
                artifacts: components["schemas"]["File"][];
                summary: string;
            }[];
            working: components["schemas"]["File"][];
        };
        /** @description An Attempt failed or was broken off. */
        AttemptEnd: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "attempt.end";
            commandId?: string;
            /** @default {} */
            expected?: components["schemas"]["Expected"];
            payload: {
                item: string;
                fence?: number;
                /** @enum {string} */
                outcome: "failed" | "interrupted";
            };
            reason?: string;
            /** @default false */
            dryRun?: boolean;
        };
        /** @description Still at work. */
        AttemptHeartbeat: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "attempt.heartbeat";
            commandId?: string;
            /** @default {} */
            expected?: components["schemas"]["Expected"];
            payload: {
                item: string;
                fence: number;
            };
            reason?: string;
            /** @default false */
            dryRun?: boolean;
        };
        /** @description A claimed Attempt of a person or an external executor starts. */
        AttemptStart: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "attempt.start";
            commandId?: string;
            /** @default {} */
            expected?: components["schemas"]["Expected"];
            payload: {
                item: string;
                fence: number;
            };
            reason?: string;
            /** @default false */
            dryRun?: boolean;
        };
        AuditEntry: {
            seq: number;
            at: number;
            by: string;
            from: string | null;
            type: string;
            subject: string | null;
            before: components["schemas"]["Json"];
            after: components["schemas"]["Json"];
            reason: string | null;
            erased: boolean;
            digest: string;
        };
        AuditVerified: {
            ok: boolean;
            rows: number;
            head: {
                seq: number;
                digest: string;
            };
            erased: number;
            problems: {
                seq: number;
                /** @enum {string} */
                code: "altered" | "held_altered" | "removed" | "reordered" | "unlinked" | "cut" | "head" | "source_altered" | "source_removed";
                detail: string;
            }[];
            found: number;
            kept: ({
                seq: number;
                digest: string;
            } | "unknown") | null;
        };
        AuthAnswer: unknown;
        AuthPasskeyAddOptionsBody: {
            [key: string]: unknown;
        };
        Blocker: {
            id: string;
            item?: string;
            reason: string;
            form: components["schemas"]["Json"];
            recommended?: components["schemas"]["Json"];
            owner: string;
            raisedAt: number;
            generation: number;
            /** @enum {string} */
            about?: "work" | "secret" | "approval" | "money" | "identity" | "acceptance" | "scope";
            /** @enum {string} */
            route?: "coordinator" | "owner";
        };
        /** @description A coordinator round leaves a question to a person, put better where it can. */
        BlockerPass: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "blocker.pass";
            commandId?: string;
            /** @default {} */
            expected?: components["schemas"]["Expected"];
            payload: {
                blocker: string;
                why: string;
                question?: string;
                recommended?: components["schemas"]["Json"];
                owner?: string;
            };
            reason?: string;
            /** @default false */
            dryRun?: boolean;
        };
        /** @description Answer a blocker by its form. */
        BlockerResolve: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "blocker.resolve";
            commandId?: string;
            /** @default {} */
            expected?: components["schemas"]["Expected"];
            payload: {
                blocker: string;
                answer: components["schemas"]["Json"];
                generation?: number;
                /** @default [] */
                evidence?: string[];
                because?: string;
            };
            reason?: string;
            /** @default false */
            dryRun?: boolean;
        };
        /** @description The question is no longer needed. */
        BlockerWithdraw: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "blocker.withdraw";
            commandId?: string;
            /** @default {} */
            expected?: components["schemas"]["Expected"];
            payload: {
                blocker: string;
                /** @default [] */
                evidence?: string[];
            };
            reason?: string;
            /** @default false */
            dryRun?: boolean;
        };
        BookCounts: {
            goals: {
                [key: string]: number;
            };
            rounds: {
                [key: string]: number;
            };
            effects: {
                [key: string]: number;
            };
            overdue: number;
            overdueMs: number;
            deadLetters: number;
        };
        /** @description Raise limits that are set; goals that wait for it go on. */
        BudgetRaise: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "budget.raise";
            commandId?: string;
            /** @default {} */
            expected?: {
                version?: number;
            };
            payload?: {
                period?: {
                    tokens?: number;
                    micros?: number;
                };
                total?: {
                    tokens?: number;
                    micros?: number;
                };
                parallelRounds?: number;
            };
            reason?: string;
            /** @default false */
            dryRun?: boolean;
        };
        /** @description What all goals together may use, whole. */
        BudgetSet: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "budget.set";
            commandId?: string;
            /** @default {} */
            expected?: {
                version?: number;
            };
            payload: {
                currency: string;
                period?: {
                    /** @enum {string} */
                    of: "day" | "month";
                    tokens?: number;
                    micros?: number;
                };
                total?: {
                    tokens?: number;
                    micros?: number;
                };
                parallelRounds: number;
            };
            reason?: string;
            /** @default false */
            dryRun?: boolean;
        };
        BusinessRound: {
            id: string;
            trigger: string;
            name: string;
            /** @enum {string} */
            source: "cron" | "webhook" | "fire" | "replay";
            due: number;
            at: number;
            standsFor: number;
            /** @enum {string} */
            state: "owed" | "running" | "waiting" | "completed" | "skipped" | "missed";
            generation: number;
            awaits: {
                /** @enum {string} */
                kind: "answer" | "receipt" | "result";
                correlation: string;
                generation: number;
                reason: string;
                since: number;
                by: string;
            } | null;
            closed: {
                /** @enum {string} */
                how: "command" | "goal" | "delivered" | "not_started";
                at: number;
                by: string;
                reason: string | null;
                awaited?: {
                    /** @enum {string} */
                    kind: "answer" | "receipt" | "result";
                    correlation: string;
                    generation: number;
                    reason: string;
                    since: number;
                    by: string;
                } | null;
            } | null;
            blockedBy: string | null;
            /** @enum {string} */
            act: "none" | "pending" | "done" | "refused";
            goal: string | null;
            goalEnded: string | null;
            endsWithGoal: boolean;
            refusal: components["schemas"]["Json"];
        };
        /** @description What a business round waits for came; for an earlier generation or a closed round it is recorded as late. */
        BusinessRoundAnswer: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "business_round.answer";
            commandId?: string;
            /** @default {} */
            expected?: {
                version?: number;
            };
            payload: {
                round: string;
                correlation: string;
                generation: number;
                payload?: components["schemas"]["Json"];
            };
            reason?: string;
            /** @default false */
            dryRun?: boolean;
        };
        /** @description A business round is done; the next of its trigger may begin. */
        BusinessRoundComplete: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "business_round.complete";
            commandId?: string;
            /** @default {} */
            expected?: {
                version?: number;
            };
            payload: {
                round: string;
                note?: string;
            };
            reason?: string;
            /** @default false */
            dryRun?: boolean;
        };
        /** @description A business round waits, for exactly this. */
        BusinessRoundWait: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "business_round.wait";
            commandId?: string;
            /** @default {} */
            expected?: {
                version?: number;
            };
            payload: {
                round: string;
                /** @enum {string} */
                kind: "answer" | "receipt" | "result";
                correlation: string;
                reason: string;
            };
            reason?: string;
            /** @default false */
            dryRun?: boolean;
        };
        CallToolBody: ({
            /** @constant */
            jsonrpc: "2.0";
        } & {
            [key: string]: unknown;
        }) | ({
            /** @constant */
            jsonrpc: "2.0";
        } & {
            [key: string]: unknown;
        })[];
        Caller: {
            principal: string;
            /** @enum {string} */
            kind: "person" | "token";
            operator: boolean;
            name?: string;
            email?: string;
            emailVerified?: boolean;
            goals?: string[];
            attempt?: {
                item: string;
                attempt: string;
                fence: number;
            };
            workspaces: {
                id: string;
                name: string;
                role: ("owner" | "admin" | "operator" | "reviewer" | "viewer") | null;
                scopes: ("goals:read" | "goals:write" | "work:submit" | "work:review" | "approvals:decide" | "triggers:manage" | "secrets:write" | "usage:read" | "admin")[];
            }[];
        };
        CancelGoalBody: {
            commandId?: string;
            expected?: {
                goalVersion?: number;
            };
            reason?: string;
            dryRun?: boolean;
        };
        ChangePasswordBody: {
            currentPassword: string;
            newPassword: string;
            revokeOtherSessions?: boolean;
        };
        /** @description Set a chat that is told what happens, whole; one that was disabled is live again. */
        ChatPut: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "chat.put";
            commandId?: string;
            /** @default {} */
            expected?: {
                version?: number;
            };
            payload: {
                name: string;
                /** @enum {string} */
                kind: "slack" | "feishu" | "dingtalk" | "wecom" | "discord" | "teams";
                address: string;
                signing?: string;
                /**
                 * @default en
                 * @enum {string}
                 */
                language?: "en" | "zh";
                events?: ("goal.completed" | "goal.cancelled" | "goal.stopped" | "item.accepted" | "item.returned" | "trigger.fired" | "blocker.raised" | "approval.asked" | "review.wanted" | "budget.stopped" | "person.needed" | "endpoint.disabled")[];
                goals?: string[];
            };
            reason?: string;
            /** @default false */
            dryRun?: boolean;
        };
        /** @description Remove a chat; nothing more is posted there. */
        ChatRemove: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "chat.remove";
            commandId?: string;
            /** @default {} */
            expected?: {
                version?: number;
            };
            payload: {
                name: string;
            };
            reason?: string;
            /** @default false */
            dryRun?: boolean;
        };
        ChatTest: {
            ok: boolean;
            chat: string;
            status: number | null;
            fault: string | null;
        };
        Check: {
            key: string;
            title?: string;
            /** @constant */
            kind: "count";
            of: components["schemas"]["Set"];
            equals?: number | {
                sizeOf: components["schemas"]["Set"];
            };
            min?: number;
            max?: number;
        } | {
            key: string;
            title?: string;
            /** @constant */
            kind: "sum";
            over: components["schemas"]["Set"];
            prefix: string;
            field: string;
            min?: string;
            max?: string;
            equals?: string;
        } | {
            key: string;
            title?: string;
            /** @constant */
            kind: "set_equal";
            left: components["schemas"]["Set"];
            right: components["schemas"]["Set"];
        } | {
            key: string;
            title?: string;
            /** @constant */
            kind: "set_covers";
            superset: components["schemas"]["Set"];
            subset: components["schemas"]["Set"];
        } | {
            key: string;
            title?: string;
            /** @constant */
            kind: "json_schema";
            file: components["schemas"]["FileOrDeliverable"];
            schema: components["schemas"]["Json"];
        } | {
            key: string;
            title?: string;
            /** @constant */
            kind: "csv";
            file: components["schemas"]["FileOrDeliverable"];
            columns?: string[];
            bom?: boolean;
            /** @enum {string} */
            lineEnd?: "crlf" | "lf";
            minRows?: number;
            maxRows?: number;
            uniqueBy?: string;
        } | {
            key: string;
            title?: string;
            /** @constant */
            kind: "matches";
            file: components["schemas"]["FileOrDeliverable"];
            pattern: string;
        } | {
            key: string;
            title?: string;
            /** @constant */
            kind: "file_exists";
            file: components["schemas"]["FileOrDeliverable"];
        } | {
            key: string;
            title?: string;
            /** @constant */
            kind: "digest";
            file: components["schemas"]["FileOrDeliverable"];
            digest: string;
        } | {
            key: string;
            title?: string;
            /** @constant */
            kind: "http_probe";
            /** Format: uri */
            url: string;
            /** @default 200 */
            status: number;
            /** @default 3600000 */
            holdsMs: number;
        } | {
            key: string;
            title?: string;
            /** @constant */
            kind: "script";
            skill: string;
            script: string;
            /** @default [] */
            files: components["schemas"]["FileOrDeliverable"][];
            /** @default [] */
            facts: string[];
            input?: components["schemas"]["Json"];
        };
        CheckInput: {
            key: string;
            title?: string;
            /** @constant */
            kind: "count";
            of: components["schemas"]["SetInput"];
            equals?: number | {
                sizeOf: components["schemas"]["SetInput"];
            };
            min?: number;
            max?: number;
        } | {
            key: string;
            title?: string;
            /** @constant */
            kind: "sum";
            over: components["schemas"]["SetInput"];
            prefix: string;
            field: string;
            min?: string;
            max?: string;
            equals?: string;
        } | {
            key: string;
            title?: string;
            /** @constant */
            kind: "set_equal";
            left: components["schemas"]["SetInput"];
            right: components["schemas"]["SetInput"];
        } | {
            key: string;
            title?: string;
            /** @constant */
            kind: "set_covers";
            superset: components["schemas"]["SetInput"];
            subset: components["schemas"]["SetInput"];
        } | {
            key: string;
            title?: string;
            /** @constant */
            kind: "json_schema";
            file: components["schemas"]["FileOrDeliverableInput"];
            schema: components["schemas"]["Json"];
        } | {
            key: string;
            title?: string;
            /** @constant */
            kind: "csv";
            file: components["schemas"]["FileOrDeliverableInput"];
            columns?: string[];
            bom?: boolean;
            /** @enum {string} */
            lineEnd?: "crlf" | "lf";
            minRows?: number;
            maxRows?: number;
            uniqueBy?: string;
        } | {
            key: string;
            title?: string;
            /** @constant */
            kind: "matches";
            file: components["schemas"]["FileOrDeliverableInput"];
            pattern: string;
        } | {
            key: string;
            title?: string;
            /** @constant */
            kind: "file_exists";
            file: components["schemas"]["FileOrDeliverableInput"];
        } | {
            key: string;
            title?: string;
            /** @constant */
            kind: "digest";
            file: components["schemas"]["FileOrDeliverableInput"];
            digest: string;
        } | {
            key: string;
            title?: string;
            /** @constant */
            kind: "http_probe";
            /** Format: uri */
            url: string;
            /** @default 200 */
            status?: number;
            /** @default 3600000 */
            holdsMs?: number;
        } | {
            key: string;
            title?: string;
            /** @constant */
            kind: "script";
            skill: string;
            script: string;
            /** @default [] */
            files?: components["schemas"]["FileOrDeliverableInput"][];
            /** @default [] */
            facts?: string[];
            input?: components["schemas"]["Json"];
        };
        /** @description The answer of a check that ran outside. */
        CheckRecord: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "check.record";
            commandId?: string;
            /** @default {} */
            expected?: components["schemas"]["Expected"];
            payload: {
                check: string;
                fence: number;
                pass: boolean | null;
                scene?: {
                    summary: string;
                    missing?: string[];
                    extra?: string[];
                    findings?: {
                        where: string;
                        expected?: string;
                        actual?: string;
                    }[];
                    data?: components["schemas"]["Json"];
                };
                /** @default {} */
                inputs?: {
                    [key: string]: string;
                };
                checker: string;
            };
            reason?: string;
            /** @default false */
            dryRun?: boolean;
        };
        /** @description Ask for checks. */
        CheckRequest: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "check.request";
            commandId?: string;
            /** @default {} */
            expected?: components["schemas"]["Expected"];
            payload?: {
                submission?: string;
            };
            reason?: string;
            /** @default false */
            dryRun?: boolean;
        };
        /** @description Time has passed: settle what is due. */
        ClockTick: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "clock.tick";
            commandId?: string;
            /** @default {} */
            expected?: components["schemas"]["Expected"];
            payload?: {
                /** @default [] */
                leasesOver?: {
                    round: string;
                    fence: number;
                }[];
            };
            reason?: string;
            /** @default false */
            dryRun?: boolean;
        };
        Comparison: {
            equal: boolean;
            seq: number;
            projectedSeq: number;
            tables: {
                table: string;
                record: number;
                book: number;
                differing: string[];
            }[];
        };
        ConfirmGoalBody: {
            commandId?: string;
            expected?: {
                goalVersion?: number;
            };
            reason?: string;
            dryRun?: boolean;
        };
        /** @description A phase of a compaction of the round's conversation. */
        ContextRecord: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "context.record";
            commandId?: string;
            /** @default {} */
            expected?: components["schemas"]["Expected"];
            payload: {
                /** @constant */
                phase: "begun";
                n: number;
                tokens: number;
            } | {
                /** @constant */
                phase: "written";
                n: number;
                schema: number;
                basis: string;
                snapshot: components["schemas"]["Json"];
            } | {
                /** @constant */
                phase: "done";
                n: number;
                tokens: number;
            } | {
                /** @constant */
                phase: "undone";
                n: number;
                why: string;
            };
            reason?: string;
            /** @default false */
            dryRun?: boolean;
        };
        Contract: {
            title: string;
            objective: string;
            criteria: {
                id: string;
                text: string;
                /** @enum {string} */
                verify: "check" | "review" | "attest";
                /** @default [] */
                checks: string[];
            }[];
            /** @default [] */
            nonGoals: {
                id: string;
                text: string;
                /** @default [] */
                forbids: {
                    tool: string;
                    /** @default [] */
                    where: {
                        pointer: string;
                        equals?: components["schemas"]["Json"];
                        matches?: string;
                    }[];
                }[];
            }[];
            /** @default [] */
            checks: components["schemas"]["Check"][];
            /** @default [] */
            milestones: {
                key: string;
                title: string;
                target: number | {
                    fact: string;
                };
                /** @default false */
                confirm: boolean;
            }[];
            /**
             * @default {
             *       "rounds": 200,
             *       "wallTimeMs": 604800000,
             *       "parallelRounds": 4,
             *       "emptyRounds": 2,
             *       "attempts": 5,
             *       "stepsPerRound": 5000,
             *       "drift": {
             *         "window": 8,
             *         "stride": 10
             *       },
             *       "tokens": 10000000,
             *       "money": {
             *         "amount": 2000,
             *         "currency": "USD"
             *       }
             *     }
             */
            limits: {
                /** @default 200 */
                rounds: number;
                /** @default 604800000 */
                wallTimeMs: number;
                /** @default 4 */
                parallelRounds: number;
                /** @default 2 */
                emptyRounds: number;
                /** @default 5 */
                attempts: number;
                /** @default 5000 */
                stepsPerRound: number;
                /**
                 * @default {
                 *       "window": 8,
                 *       "stride": 10
                 *     }
                 */
                drift: {
                    window: number;
                    stride: number;
                };
                /** @default 10000000 */
                tokens: number;
                /**
                 * @default {
                 *       "amount": 2000,
                 *       "currency": "USD"
                 *     }
                 */
                money: {
                    amount: number;
                    currency: string;
                };
            };
            /** @default [] */
            policies: {
                tool: string;
                /** @default [] */
                where: {
                    pointer: string;
                    equals?: components["schemas"]["Json"];
                    matches?: string;
                }[];
                /** @enum {string} */
                then: "allow" | "ask" | "deny";
            }[];
            /**
             * @default auto
             * @enum {string}
             */
            planPolicy: "auto" | "confirm";
        };
        ContractInput: {
            title: string;
            objective: string;
            criteria: {
                id: string;
                text: string;
                /** @enum {string} */
                verify: "check" | "review" | "attest";
                /** @default [] */
                checks?: string[];
            }[];
            /** @default [] */
            nonGoals?: {
                id: string;
                text: string;
                /** @default [] */
                forbids?: {
                    tool: string;
                    /** @default [] */
                    where?: {
                        pointer: string;
                        equals?: components["schemas"]["Json"];
                        matches?: string;
                    }[];
                }[];
            }[];
            /** @default [] */
            checks?: components["schemas"]["CheckInput"][];
            /** @default [] */
            milestones?: {
                key: string;
                title: string;
                target: number | {
                    fact: string;
                };
                /** @default false */
                confirm?: boolean;
            }[];
            /**
             * @default {
             *       "rounds": 200,
             *       "wallTimeMs": 604800000,
             *       "parallelRounds": 4,
             *       "emptyRounds": 2,
             *       "attempts": 5,
             *       "stepsPerRound": 5000,
             *       "drift": {
             *         "window": 8,
             *         "stride": 10
             *       },
             *       "tokens": 10000000,
             *       "money": {
             *         "amount": 2000,
             *         "currency": "USD"
             *       }
             *     }
             */
            limits?: {
                /** @default 200 */
                rounds?: number;
                /** @default 604800000 */
                wallTimeMs?: number;
                /** @default 4 */
                parallelRounds?: number;
                /** @default 2 */
                emptyRounds?: number;
                /** @default 5 */
                attempts?: number;
                /** @default 5000 */
                stepsPerRound?: number;
                /**
                 * @default {
                 *       "window": 8,
                 *       "stride": 10
                 *     }
                 */
                drift?: {
                    window: number;
                    stride: number;
                };
                /** @default 10000000 */
                tokens?: number;
                /**
                 * @default {
                 *       "amount": 2000,
                 *       "currency": "USD"
                 *     }
                 */
                money?: {
                    amount: number;
                    currency: string;
                };
            };
            /** @default [] */
            policies?: {
                tool: string;
                /** @default [] */
                where?: {
                    pointer: string;
                    equals?: components["schemas"]["Json"];
                    matches?: string;
                }[];
                /** @enum {string} */
                then: "allow" | "ask" | "deny";
            }[];
            /**
             * @default auto
             * @enum {string}
             */
            planPolicy?: "auto" | "confirm";
        };
        CreateGoalFromTemplateAnswer: components["schemas"]["Applied"] | {
            version: number;
            payload: components["schemas"]["Json"];
            /** @constant */
            dryRun: true;
        };
        CreateGoalFromTemplateBody: {
            commandId: string;
            version?: number;
            /** @default {} */
            parameters?: {
                [key: string]: components["schemas"]["Json"];
            };
            /** @default false */
            confirmed?: boolean;
            /** @default false */
            dryRun?: boolean;
        };
        CreateWorkspaceBody: {
            name: string;
            commandId: string;
        };
        /** @description A named person says whether a criterion holds. */
        CriterionAttest: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "criterion.attest";
            commandId?: string;
            /** @default {} */
            expected?: components["schemas"]["Expected"];
            payload: {
                criterion: string;
                holds: boolean;
                statement: string;
            };
            reason?: string;
            /** @default false */
            dryRun?: boolean;
        };
        DeadLetter: {
            goal: string;
            id: string;
            kind: string;
            ref: string;
            fence: number;
            sentAt: number;
            at: number;
        };
        Decision: {
            id: string;
            subject: string;
            milestone?: string;
            verdict: string;
            reason: string;
            by: string;
            at: number;
            item?: string;
            evidence: string[];
            fallen: string[];
            asked: boolean;
        };
        DeliverAnswer: {
            delivery: string;
            /** @enum {string} */
            state: "fired" | "filtered" | "paused" | "failed";
            round: string | null;
            roundState: string | null;
            goal: string | null;
            repeated: boolean;
        };
        /** @description A person fires a trigger again with a delivery that is kept. */
        DeliveryReplay: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "delivery.replay";
            commandId?: string;
            /** @default {} */
            expected?: {
                version?: number;
            };
            payload: {
                name: string;
                delivery: string;
            };
            reason?: string;
            /** @default false */
            dryRun?: boolean;
        };
        Doctor: {
            readOnly: string | null;
            lanes: components["schemas"]["Json"][];
            counters: components["schemas"]["Json"];
        } & {
            [key: string]: unknown;
        };
        /** @description Register a call that changes something outside. */
        EffectPlan: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "effect.plan";
            commandId?: string;
            /** @default {} */
            expected?: components["schemas"]["Expected"];
            payload: {
                call: {
                    tool: string;
                    args: components["schemas"]["Json"];
                    subject: string;
                    /** @enum {string} */
                    effect: "none" | "record" | "outside";
                    /** @default [] */
                    factOnly?: string[];
                    timeoutMs?: number;
                    reserve?: {
                        tokens: number;
                        money: number;
                        currency?: string;
                    };
                    /** @enum {string} */
                    otherwise?: "allow" | "ask";
                    probe?: components["schemas"]["Json"];
                };
            };
            reason?: string;
            /** @default false */
            dryRun?: boolean;
        };
        /** @description What asking outside found about an unknown effect. */
        EffectProbe: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "effect.probe";
            commandId?: string;
            /** @default {} */
            expected?: components["schemas"]["Expected"];
            payload: {
                effect: string;
                fence: number;
                /** @enum {string} */
                found: "happened" | "absent" | "unclear";
                evidence: string;
            };
            reason?: string;
            /** @default false */
            dryRun?: boolean;
        };
        /** @description What became of an unknown effect. */
        EffectReconcile: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "effect.reconcile";
            commandId?: string;
            /** @default {} */
            expected?: components["schemas"]["Expected"];
            payload: {
                effect: string;
                /** @enum {string} */
                outcome: "succeeded" | "not_applied";
                evidence: string;
            };
            reason?: string;
            /** @default false */
            dryRun?: boolean;
        };
        /** @description The outcome of a call outside. */
        EffectSettle: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "effect.settle";
            commandId?: string;
            /** @default {} */
            expected?: components["schemas"]["Expected"];
            payload: {
                effect: string;
                nonce: string;
                /** @enum {string} */
                outcome: "succeeded" | "failed" | "unknown";
                result?: components["schemas"]["Json"];
            };
            reason?: string;
            /** @default false */
            dryRun?: boolean;
        };
        EraseGoalAnswer: {
            /** @constant */
            outcome: "erased";
            goal: string;
            done: boolean;
        };
        EraseMeAnswer: {
            /** @constant */
            outcome: "applied";
            erasure: components["schemas"]["Erasure"];
        };
        EraseMeBody: {
            email: string;
        };
        Erasure: {
            id: string;
            /** @enum {string} */
            kind: "workspace" | "person";
            subject: string;
            askedAt: number;
            /** @enum {string} */
            state: "done" | "going_on";
            receipt: components["schemas"]["Receipt"] | null;
        };
        Event: {
            seq: number;
            at: number;
            type: string;
            by: string;
            item?: string;
            attempt?: string;
            round?: string;
            submission?: string;
            data: components["schemas"]["Json"];
        };
        Evidence: {
            evidence: string;
            fallen: boolean;
            mark: {
                at: number;
                by: string;
                reason: string;
            } | null;
            facts: {
                key: string;
                version: number;
                current: boolean;
            }[];
            decisions: components["schemas"]["Decision"][];
            acceptances: {
                id: string;
                item: string;
                title: string;
                submission: string;
                number: number;
                by: string;
                at: number;
            }[];
            downstream: {
                item: string;
                title: string;
            }[];
            counts: {
                facts: number;
                decisions: number;
                acceptances: number;
                downstream: number;
            };
            seq: number;
        };
        /** @description A piece of evidence is wrong; decisions and accepted work that rest on it are put up for a new verdict. */
        EvidenceInvalidate: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "evidence.invalidate";
            commandId?: string;
            /** @default {} */
            expected?: components["schemas"]["Expected"];
            payload: {
                evidence: string;
            };
            reason?: string;
            /** @default false */
            dryRun?: boolean;
        };
        /** @description Give the run up. */
        ExecutionAbandon: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "execution.abandon";
            commandId?: string;
            /** @default {} */
            expected?: components["schemas"]["Expected"];
            payload?: Record<string, never>;
            reason?: string;
            /** @default false */
            dryRun?: boolean;
        };
        /** @description End a graph-only run whose required items are accepted. */
        ExecutionComplete: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "execution.complete";
            commandId?: string;
            /** @default {} */
            expected?: components["schemas"]["Expected"];
            payload?: Record<string, never>;
            reason?: string;
            /** @default false */
            dryRun?: boolean;
        };
        /** @description Open the governed run. */
        ExecutionOpen: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "execution.open";
            commandId?: string;
            /** @default {} */
            expected?: components["schemas"]["Expected"];
            payload?: {
                /** @default false */
                supersede?: boolean;
            };
            reason?: string;
            /** @default false */
            dryRun?: boolean;
        };
        /** @description Give a graph-only run a contract. */
        ExecutionPromote: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "execution.promote";
            commandId?: string;
            /** @default {} */
            expected?: components["schemas"]["Expected"];
            payload: {
                contract: components["schemas"]["ContractInput"];
            };
            reason?: string;
            /** @default false */
            dryRun?: boolean;
        };
        Executor: {
            /** @constant */
            kind: "skill";
            skill: string;
            script: string;
            input?: components["schemas"]["Json"];
        } | {
            /** @constant */
            kind: "agent";
            profile: string;
        } | {
            /** @constant */
            kind: "external";
            name: string;
        } | {
            /** @constant */
            kind: "person";
            principal?: string;
        };
        ExecutorInput: {
            /** @constant */
            kind: "skill";
            skill: string;
            script: string;
            input?: components["schemas"]["Json"];
        } | {
            /** @constant */
            kind: "agent";
            profile: string;
        } | {
            /** @constant */
            kind: "external";
            name: string;
        } | {
            /** @constant */
            kind: "person";
            principal?: string;
        };
        Expected: {
            goalVersion?: number;
            planRevision?: number;
            itemVersion?: number;
            fence?: number;
        };
        Fact: {
            key: string;
            version: number;
            value: components["schemas"]["Json"];
            erased: boolean;
            provenance: components["schemas"]["Json"];
            by: string;
            at: number;
            seq: number;
        };
        /** @description Record typed values with provenance. */
        FactRecord: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "fact.record";
            commandId?: string;
            /** @default {} */
            expected?: components["schemas"]["Expected"];
            payload: {
                facts: {
                    key: string;
                    value: components["schemas"]["Json"];
                    provenance: {
                        /** @constant */
                        from: "call";
                        call: string;
                    } | {
                        /** @constant */
                        from: "artifact";
                        digest: string;
                        section?: string;
                    } | {
                        /** @constant */
                        from: "file";
                        path: string;
                        section?: string;
                    } | {
                        /** @constant */
                        from: "person";
                        principal: string;
                    };
                }[];
            };
            reason?: string;
            /** @default false */
            dryRun?: boolean;
        };
        File: {
            path: string;
            digest: string;
            size: number;
            type?: string;
        };
        FileInput: {
            path: string;
            digest: string;
            size: number;
            type?: string;
        };
        FileOrDeliverable: {
            source: string;
        } | {
            item?: string;
            path: string;
        };
        FileOrDeliverableInput: {
            source: string;
        } | {
            item?: string;
            path: string;
        };
        Frame: {
            /** @constant */
            kind: "snapshot";
            seq: number;
            bar: components["schemas"]["GoalBar"];
            graph: components["schemas"]["GraphView"];
            events: components["schemas"]["Event"][];
            contract: components["schemas"]["Contract"] | null;
        } | {
            /** @constant */
            kind: "update";
            seq: number;
            events: components["schemas"]["Event"][];
            bar: components["schemas"]["GoalBar"];
            nodes?: components["schemas"]["GraphNode"][];
            edges?: components["schemas"]["GraphEdge"][];
            process?: {
                /** @enum {string} */
                kind: "loop_back" | "retry" | "guard";
                from: string;
                to: string;
                label: string;
                at: number;
            }[];
            graph?: components["schemas"]["GraphView"];
            contract?: components["schemas"]["Contract"] | null;
        } | {
            /** @constant */
            kind: "stream";
            round: string;
            /** @enum {string} */
            lane: "coordinator" | "worker" | "reviewer";
            item?: string;
            text: string;
            done: boolean;
        } | {
            /** @constant */
            kind: "error";
            code: string;
        };
        GetAgentCardAnswer: {
            name: string;
            supportedInterfaces: ({
                url: string;
                protocolBinding: string;
                protocolVersion: string;
            } & {
                [key: string]: unknown;
            })[];
        } & {
            [key: string]: unknown;
        };
        GetBodyAnswer: {
            digest: string;
            value: components["schemas"]["Json"];
            seq: number;
        };
        GetBusinessRoundAnswer: {
            round: components["schemas"]["BusinessRound"];
            known: components["schemas"]["Json"];
            late: {
                at: number;
                by: string;
                what: string;
                why: string;
                body: components["schemas"]["Json"];
            }[];
            before: {
                round: components["schemas"]["BusinessRound"];
                open: {
                    awaited: {
                        /** @enum {string} */
                        kind: "answer" | "receipt" | "result";
                        correlation: string;
                        generation: number;
                        reason: string;
                        since: number;
                        by: string;
                    };
                    came: {
                        at: number;
                        by: string;
                        what: string;
                        why: string;
                        body: components["schemas"]["Json"];
                    } | null;
                } | null;
                late: {
                    at: number;
                    by: string;
                    what: string;
                    why: string;
                    body: components["schemas"]["Json"];
                }[];
            } | null;
        };
        GetContractAnswer: {
            openapi: string;
        } & {
            [key: string]: unknown;
        };
        GetCountersAnswer: {
            isolate: {
                since: number;
                counts: {
                    [key: string]: {
                        [key: string]: number;
                    };
                };
            };
            book: components["schemas"]["BookCounts"] | null;
            metrics: boolean;
        };
        GetItemHistoryAnswer: {
            data: components["schemas"]["ItemHistoryRow"][];
            nextCursor: string | null;
            seq: number;
        };
        Goal: {
            id: string;
            bar: components["schemas"]["GoalBar"];
            contract: components["schemas"]["Contract"] | null;
        };
        /** @description Propose the next version of the contract from what a person said; changes nothing until a person decides. */
        GoalAmend: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "goal.amend";
            commandId?: string;
            /** @default {} */
            expected?: components["schemas"]["Expected"];
            payload: {
                message: number;
                change: {
                    title?: string;
                    objective?: string;
                    criteria?: {
                        id: string;
                        text: string;
                        /** @enum {string} */
                        verify: "check" | "review" | "attest";
                        /** @default [] */
                        checks?: string[];
                    }[];
                    nonGoals?: {
                        id: string;
                        text: string;
                        /** @default [] */
                        forbids?: {
                            tool: string;
                            /** @default [] */
                            where?: {
                                pointer: string;
                                equals?: components["schemas"]["Json"];
                                matches?: string;
                            }[];
                        }[];
                    }[];
                    checks?: components["schemas"]["CheckInput"][];
                    milestones?: {
                        key: string;
                        title: string;
                        target: number | {
                            fact: string;
                        };
                        /** @default false */
                        confirm?: boolean;
                    }[];
                    limits?: {
                        rounds?: number;
                        wallTimeMs?: number;
                        parallelRounds?: number;
                        emptyRounds?: number;
                        attempts?: number;
                        stepsPerRound?: number;
                        drift?: {
                            window: number;
                            stride: number;
                        };
                    };
                };
                why: string;
            };
            reason?: string;
            /** @default false */
            dryRun?: boolean;
        };
        /** @description Class every criterion of the current version. */
        GoalAudit: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "goal.audit";
            commandId?: string;
            /** @default {} */
            expected?: components["schemas"]["Expected"];
            payload: {
                classes: {
                    criterion: string;
                    /** @enum {string} */
                    class: "proven" | "contradicted" | "insufficient" | "missing";
                    /** @default [] */
                    evidence?: string[];
                    note?: string;
                }[];
            };
            reason?: string;
            /** @default false */
            dryRun?: boolean;
        };
        GoalBar: {
            title: string;
            /** @enum {string} */
            mode: "goal_only" | "graph_only" | "bound";
            /** @enum {string} */
            status: "draft" | "active" | "paused" | "completed" | "cancelled";
            goalVersion: number;
            planRevision: number;
            seq: number;
            at: number;
            next: components["schemas"]["Next"];
            criteria: {
                id: string;
                /** @enum {string} */
                verify: "check" | "review" | "attest";
                /** @enum {string} */
                class: "proven" | "contradicted" | "insufficient" | "missing" | "open";
            }[];
            items: {
                required: number;
                accepted: number;
                total: number;
                byState: {
                    [key: string]: number;
                };
            };
            milestones: {
                key: string;
                title: string;
                count: number;
                target: number | null;
            }[];
            reviewList: {
                open: number;
            };
            ledger: {
                entries: number;
                asked: number;
            };
            budget: {
                rounds: {
                    used: number;
                    of: number;
                };
                time: {
                    startedAt: number | null;
                    until: number | null;
                };
                tokens: {
                    used: number;
                    reserved: number;
                    of: number;
                    remaining: number;
                };
                money: {
                    used: number;
                    reserved: number;
                    of: number;
                    remaining: number;
                    currency: string | null;
                };
            };
            graphClosed: boolean;
            goalAudited: boolean;
            blockers: components["schemas"]["Blocker"][];
            waits: {
                id: string;
                /** @enum {string} */
                kind: "input" | "approval" | "review" | "timer" | "external" | "subagent" | "reconcile";
                owner: string;
                reason: string;
                form?: components["schemas"]["Json"];
                due?: number;
                item?: string;
                correlation: string;
                generation: number;
            }[];
            completions: {
                goalVersion: number;
                at: number;
            }[];
            messages: {
                posted: number;
                handled: number;
            };
            origin?: {
                template: {
                    name: string;
                    version: number;
                    digest: string;
                };
                by: string;
                trigger?: {
                    name: string;
                    id: string;
                    firing: string;
                };
                parametersBody: string;
            };
            amendment?: {
                id: string;
                message: number;
                basedOn: number;
                by: string;
                at: number;
                body: string;
            };
            intake?: {
                /** @enum {string} */
                standing: "none" | "running" | "ready" | "uncarried" | "drafted" | "written" | "later" | "given_up";
                until?: number;
                rounds: {
                    used: number;
                    of: number;
                };
                proposal?: {
                    goalVersion: number;
                    /** @enum {string} */
                    shape: "goal_only" | "graph" | "trigger" | "skill";
                    because: ("parallel_owners" | "hard_dependencies" | "independent_review" | "many_sessions" | "outside_release" | "recurring" | "known_method" | "one_owner")[];
                    note: string;
                };
            };
        };
        /** @description A blocker on the whole goal. */
        GoalBlock: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "goal.block";
            commandId?: string;
            /** @default {} */
            expected?: components["schemas"]["Expected"];
            payload: {
                key: string;
                reason: string;
                form: components["schemas"]["Json"];
                recommended?: components["schemas"]["Json"];
                owner?: string;
                fact?: string;
                /** @enum {string} */
                about?: "work" | "secret" | "approval" | "money" | "identity" | "acceptance" | "scope";
            };
            reason?: string;
            /** @default false */
            dryRun?: boolean;
        };
        /** @description End the goal for good. */
        GoalCancel: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "goal.cancel";
            commandId?: string;
            /** @default {} */
            expected?: components["schemas"]["Expected"];
            payload?: Record<string, never>;
            reason?: string;
            /** @default false */
            dryRun?: boolean;
        };
        /** @description Complete the current version. */
        GoalComplete: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "goal.complete";
            commandId?: string;
            /** @default {} */
            expected?: components["schemas"]["Expected"];
            payload?: Record<string, never>;
            reason?: string;
            /** @default false */
            dryRun?: boolean;
        };
        /** @description Confirm the contract; the work starts. */
        GoalConfirm: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "goal.confirm";
            commandId?: string;
            /** @default {} */
            expected?: components["schemas"]["Expected"];
            payload?: Record<string, never>;
            reason?: string;
            /** @default false */
            dryRun?: boolean;
        };
        /** @description Create a goal; active only with a confirmed contract. */
        GoalCreate: {
            /** @constant */
            type: "goal.create";
            commandId?: string;
            /** @default {} */
            expected?: components["schemas"]["Expected"];
            payload?: components["schemas"]["NewGoal"];
            reason?: string;
            /** @default false */
            dryRun?: boolean;
        };
        /** @description Intake: propose the contract of a draft and the shape of the work; a person confirms it. Ends the round. */
        GoalDraft: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "goal.draft";
            commandId?: string;
            /** @default {} */
            expected?: components["schemas"]["Expected"];
            payload: {
                contract: {
                    title: string;
                    objective: string;
                    criteria: {
                        id: string;
                        text: string;
                        /** @enum {string} */
                        verify: "check" | "review" | "attest";
                        /** @default [] */
                        checks?: string[];
                    }[];
                    /** @default [] */
                    nonGoals?: {
                        id: string;
                        text: string;
                        /** @default [] */
                        forbids?: {
                            tool: string;
                            /** @default [] */
                            where?: {
                                pointer: string;
                                equals?: components["schemas"]["Json"];
                                matches?: string;
                            }[];
                        }[];
                    }[];
                    /** @default [] */
                    checks?: components["schemas"]["CheckInput"][];
                    /** @default [] */
                    milestones?: {
                        key: string;
                        title: string;
                        target: number | {
                            fact: string;
                        };
                        /** @default false */
                        confirm?: boolean;
                    }[];
                    /** @default [] */
                    policies?: {
                        tool: string;
                        /** @default [] */
                        where?: {
                            pointer: string;
                            equals?: components["schemas"]["Json"];
                            matches?: string;
                        }[];
                        /** @enum {string} */
                        then: "allow" | "ask" | "deny";
                    }[];
                    /**
                     * @default auto
                     * @enum {string}
                     */
                    planPolicy?: "auto" | "confirm";
                    /** @default {} */
                    limits?: {
                        rounds?: number;
                        wallTimeMs?: number;
                        parallelRounds?: number;
                        emptyRounds?: number;
                        attempts?: number;
                        stepsPerRound?: number;
                        drift?: {
                            window: number;
                            stride: number;
                        };
                    };
                };
                /** @enum {string} */
                shape: "goal_only" | "graph" | "trigger" | "skill";
                because: ("parallel_owners" | "hard_dependencies" | "independent_review" | "many_sessions" | "outside_release" | "recurring" | "known_method" | "one_owner")[];
                /** @enum {string} */
                mode?: "goal_only" | "bound";
                why: string;
                /** @default [] */
                questions?: string[];
            };
            reason?: string;
            /** @default false */
            dryRun?: boolean;
        };
        /** @description No new round; running ones are stopped at their next call. */
        GoalPause: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "goal.pause";
            commandId?: string;
            /** @default {} */
            expected?: components["schemas"]["Expected"];
            payload?: Record<string, never>;
            reason?: string;
            /** @default false */
            dryRun?: boolean;
        };
        GoalPosted: {
            goal: string;
            message: number;
            source: string;
        };
        /** @description From a sentence to a contract that nobody confirmed yet. */
        GoalPropose: {
            /** @constant */
            type: "goal.propose";
            commandId?: string;
            /** @default {} */
            expected?: components["schemas"]["Expected"];
            payload: components["schemas"]["NewGoalFromSentence"];
            reason?: string;
            /** @default false */
            dryRun?: boolean;
        };
        /** @description Go on; counts and stops are cleared. */
        GoalResume: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "goal.resume";
            commandId?: string;
            /** @default {} */
            expected?: components["schemas"]["Expected"];
            payload?: Record<string, never>;
            reason?: string;
            /** @default false */
            dryRun?: boolean;
        };
        /** @description A new version of the contract. */
        GoalRevise: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "goal.revise";
            commandId?: string;
            /** @default {} */
            expected?: components["schemas"]["Expected"];
            payload: {
                contract: components["schemas"]["ContractInput"];
                lanes?: {
                    coordinator?: components["schemas"]["ExecutorInput"];
                    /** @default [] */
                    reviewers?: components["schemas"]["ExecutorInput"][];
                };
                /** @enum {string} */
                mode?: "goal_only" | "bound";
                message?: number;
            };
            reason?: string;
            /** @default false */
            dryRun?: boolean;
        };
        /** @description Change limits; going on where that lifts the stop. */
        GoalSetLimits: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "goal.setLimits";
            commandId?: string;
            /** @default {} */
            expected?: components["schemas"]["Expected"];
            payload?: {
                /** @default {} */
                limits?: {
                    rounds?: number;
                    wallTimeMs?: number;
                    parallelRounds?: number;
                    emptyRounds?: number;
                    attempts?: number;
                    stepsPerRound?: number;
                    drift?: {
                        window: number;
                        stride: number;
                    };
                    tokens?: number;
                    money?: {
                        amount: number;
                        currency: string;
                    };
                };
                items?: {
                    [key: string]: {
                        tokens?: number;
                        money?: number;
                    };
                };
            };
            reason?: string;
            /** @default false */
            dryRun?: boolean;
        };
        GoalSummary: {
            goal: string;
            title: string;
            mode: string;
            status: string;
            why: string;
            goalVersion: number;
            planRevision: number;
            needsYou: number;
            wakeAt: number | null;
            createdAt: number;
            updatedAt: number;
            seq: number;
            milestones: {
                key: string;
                count: number;
                target: number | null;
            }[];
            accepted: number;
            requiredItems: number;
            budget: components["schemas"]["Json"];
        };
        GoalUsage: {
            currency: string | null;
            total: {
                calls: number;
                tokens: number;
                money: number;
                cacheRead: number;
                cacheWrite: number;
                assumed: number;
            };
            data: {
                item: string | null;
                lane: string | null;
                profile: string | null;
                model: string | null;
                calls: number;
                tokens: number;
                money: number;
                cacheRead: number;
                cacheWrite: number;
                assumed: number;
            }[];
            more: boolean;
            seq: number;
        };
        GoalsFrame: {
            /** @constant */
            kind: "snapshot";
            seq: number;
            goals: components["schemas"]["GoalSummary"][];
            truncated: boolean;
        } | {
            /** @constant */
            kind: "update";
            seq: number;
            goals: components["schemas"]["GoalSummary"][];
            gone: string[];
        } | {
            /** @constant */
            kind: "error";
            code: string;
        };
        GraphEdge: {
            from: string;
            to: string;
            /** @enum {string} */
            kind: "hard" | "soft";
            satisfied: boolean;
        };
        GraphNode: {
            key: string;
            title: string;
            /** @enum {string} */
            kind: "produce" | "review" | "verify" | "integrate";
            parent?: string;
            required: boolean;
            /** @enum {string} */
            state: "superseded" | "cancelled" | "accepted" | "blocked" | "submitted" | "rejected" | "running" | "changes_requested" | "assigned" | "ready" | "locked";
            version: number;
            inputs: {
                accepted: number;
                of: number;
                missing: string[];
            };
            unlocks: string[];
            attempts: number;
            submissions: number;
            returns: {
                submission: number;
                by: string;
                summary: string;
                from?: string;
            }[];
            executor?: components["schemas"]["Executor"];
            owner?: string;
            round?: {
                id: string;
                /** @enum {string} */
                lane: "coordinator" | "worker" | "reviewer";
                phase: string;
                steps: number;
                /** @enum {string} */
                drift: "none" | "watch" | "parked";
            };
            blocker?: string;
            stop?: string;
            milestone?: {
                key: string;
                count: number;
                target: number | null;
            };
            children: {
                id: string;
                name: string;
                state: string;
            }[];
            reaffirm?: string;
        };
        GraphView: {
            seq: number;
            revision: number;
            nodes: components["schemas"]["GraphNode"][];
            edges: components["schemas"]["GraphEdge"][];
            process: {
                /** @enum {string} */
                kind: "loop_back" | "retry" | "guard";
                from: string;
                to: string;
                label: string;
                at: number;
            }[];
            truncated: boolean;
        };
        History: {
            data: components["schemas"]["HistoryRow"][];
            nextCursor: string | null;
            seq?: number;
            seqs?: {
                [key: string]: number;
            };
        };
        HistoryRow: {
            goal: string;
            execution: string | null;
            id: string;
            item: string | null;
            attempt: string | null;
            seq: number;
            at: number;
            data: components["schemas"]["Json"];
            texts: {
                [key: string]: components["schemas"]["Json"];
            };
        };
        ImportPlanAnswer: {
            format: string;
            planRevision: number;
            kept: number;
            items: number;
            notes: {
                code: string;
                where: string;
                key?: string;
                detail?: string;
                means: string;
            }[];
        } & {
            [key: string]: unknown;
        };
        Imported: {
            /** @constant */
            outcome: "imported";
            goal: string;
            seq: number;
            added: number;
            erasedBodies: number;
            missingFiles: string[];
            paused: boolean;
        };
        Invitation: {
            id: string;
            email: string;
            /** @enum {string} */
            role: "owner" | "admin" | "operator" | "reviewer" | "viewer";
            invitedBy: string;
            createdAt: number;
            expiresAt: number;
        };
        /** @description Take an invitation back. */
        InvitationRevoke: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "invitation.revoke";
            commandId?: string;
            payload: {
                invitation: string;
            };
            reason?: string;
            /** @default false */
            dryRun?: boolean;
        };
        IsUpAnswer: {
            /** @constant */
            ok: true;
        };
        IssueAttemptTokenAnswer: {
            token: string;
            goal: string;
            item: string;
            attempt: string;
            fence: number;
            holder: string;
            leaseUntil: number;
        };
        IssueAttemptTokenBody: {
            fence: number;
        };
        ItemFigures: {
            item: string;
            goals: number;
            attempts: number;
            returns: number;
            ms: number;
            tokens: number;
            money: {
                [key: string]: number;
            };
        };
        ItemHistoryRow: {
            attempt_number: number;
            attempt: string;
            worked_by: string;
            fence: number;
            attempt_state: string;
            ended_why: string | null;
            started_at: number | null;
            ended_at: number | null;
            submission_number: number | null;
            submission: string | null;
            submission_digest: string | null;
            summary: string | null;
            submitted_at: number | null;
            superseded_by: string | null;
            verdict: ("accepted" | "changes_requested" | "rejected") | null;
            judged_by: string | null;
            judged_at: number | null;
            verdict_live: (0 | 1) | null;
            came_back: string | null;
            scene: string | null;
            invalidated_because: string | null;
            seq: number;
        };
        ItemView: {
            seq: number;
            node: components["schemas"]["GraphNode"];
            specDigest: string;
            spec: {
                key: string;
                /** @enum {string} */
                kind: "produce" | "review" | "verify" | "integrate";
                title: string;
                covers: string[];
                acceptance: string[];
                outputs: {
                    scope: string;
                    /**
                     * @default exclusive
                     * @enum {string}
                     */
                    access: "exclusive" | "shared";
                }[];
                dependsOn: {
                    key: string;
                    /**
                     * @default hard
                     * @enum {string}
                     */
                    kind: "hard" | "soft";
                }[];
                parent?: string;
                required: boolean;
                executor?: components["schemas"]["Executor"];
                review: ({
                    /** @constant */
                    by: "checks";
                } | {
                    /** @constant */
                    by: "agent";
                    reviewer?: components["schemas"]["Executor"];
                    /** @default 1 */
                    count: number;
                } | {
                    /** @constant */
                    by: "person";
                    /** @default 1 */
                    count: number;
                })[];
                checks: components["schemas"]["Check"][];
                limits: {
                    attempts?: number;
                    stepsPerRound?: number;
                    tokens?: number;
                    money?: number;
                };
                objective: string;
                deliverable: string;
                acceptanceTexts: {
                    id: string;
                    text: string;
                }[];
                inputs: string[];
            };
            attempts: {
                id: string;
                number: number;
                state: string;
                by: string;
                fence: number;
                startedAt?: number;
                endedAt?: number;
                reason?: string;
            }[];
            submissions: {
                id: string;
                number: number;
                digest: string;
                attempt: string;
                by: string;
                at: number;
                summary: string;
                artifacts: components["schemas"]["File"][];
                claims: {
                    criterion: string;
                    evidence: string[];
                }[];
                fallen: string[];
                verdicts: {
                    id: string;
                    verdict: string;
                    by: string;
                    at: number;
                    scene?: components["schemas"]["Scene"];
                    live: boolean;
                    invalidated?: string;
                }[];
                checks: {
                    key: string;
                    title?: string;
                    pass: boolean | null;
                    scene?: components["schemas"]["Scene"];
                    at: number;
                }[];
            }[];
        };
        /** @description Any JSON value. Whole numbers beyond 2^53 travel as strings. */
        Json: unknown;
        Ledger: {
            data: {
                goal: string;
                execution: string | null;
                id: string;
                item: string | null;
                attempt: string | null;
                seq: number;
                at: number;
                data: components["schemas"]["Json"];
                texts: {
                    [key: string]: components["schemas"]["Json"];
                };
                evidence?: string;
            }[];
            nextCursor: string | null;
            seq?: number;
            seqs?: {
                [key: string]: number;
            };
        };
        /** @description Record decisions with reason and evidence, and the facts they rest on. */
        LedgerRecord: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "ledger.record";
            commandId?: string;
            /** @default {} */
            expected?: components["schemas"]["Expected"];
            payload: {
                entries: {
                    subject: string;
                    milestone?: string;
                    verdict: string;
                    reason: string;
                    evidence: string[];
                    /** @default [] */
                    facts?: {
                        key: string;
                        value: components["schemas"]["Json"];
                        provenance: {
                            /** @constant */
                            from: "call";
                            call: string;
                        } | {
                            /** @constant */
                            from: "artifact";
                            digest: string;
                            section?: string;
                        } | {
                            /** @constant */
                            from: "file";
                            path: string;
                            section?: string;
                        } | {
                            /** @constant */
                            from: "person";
                            principal: string;
                        };
                    }[];
                }[];
            };
            reason?: string;
            /** @default false */
            dryRun?: boolean;
        };
        LinkFileAnswer: {
            url: string;
            expiresAt: number;
        };
        LinkOpened: {
            goal: string;
            ref: string;
            act: ("confirm" | "resume" | "raise_limit" | "set_connection" | "run" | "check" | "answer" | "decide" | "review" | "attest" | "reconcile" | "signal" | "time" | "carry") | null;
        };
        ListAuditAnswer: {
            data: components["schemas"]["AuditEntry"][];
            nextCursor: string | null;
        };
        ListBusinessRoundsAnswer: {
            data: {
                id: string;
                trigger: string;
                name: string;
                /** @enum {string} */
                source: "cron" | "webhook" | "fire" | "replay";
                due: number;
                at: number;
                standsFor: number;
                /** @enum {string} */
                state: "owed" | "running" | "waiting" | "completed" | "skipped" | "missed";
                generation: number;
                awaits: {
                    /** @enum {string} */
                    kind: "answer" | "receipt" | "result";
                    correlation: string;
                    generation: number;
                    reason: string;
                    since: number;
                    by: string;
                } | null;
                closed: {
                    /** @enum {string} */
                    how: "command" | "goal" | "delivered" | "not_started";
                    at: number;
                    by: string;
                    reason: string | null;
                    awaited?: {
                        /** @enum {string} */
                        kind: "answer" | "receipt" | "result";
                        correlation: string;
                        generation: number;
                        reason: string;
                        since: number;
                        by: string;
                    } | null;
                } | null;
                blockedBy: string | null;
                /** @enum {string} */
                act: "none" | "pending" | "done" | "refused";
                goal: string | null;
                goalEnded: string | null;
                endsWithGoal: boolean;
                refusal: components["schemas"]["Json"];
                seq: number;
                late: number;
            }[];
            nextCursor: string | null;
        };
        ListDeadLettersAnswer: {
            data: components["schemas"]["DeadLetter"][];
            nextCursor: string | null;
            total: number;
        };
        ListDeliveriesAnswer: {
            data: {
                seq: number;
                delivery: string;
                name: string;
                at: number;
                /** @enum {string} */
                state: "fired" | "filtered" | "paused" | "failed";
                round: string | null;
                detail: string | null;
                headers: {
                    [key: string]: string;
                };
                bytes: number;
                repeats: number;
                kept: boolean;
            }[];
            nextCursor: string | null;
        };
        ListErasuresAnswer: {
            data: components["schemas"]["Erasure"][];
        };
        ListEventsAnswer: {
            data: components["schemas"]["Event"][];
            nextCursor: string | null;
            seq: number;
        };
        ListGoalsAnswer: {
            data: components["schemas"]["GoalSummary"][];
            nextCursor: string | null;
        };
        ListInvitationsAnswer: {
            data: components["schemas"]["Invitation"][];
        };
        ListMembersAnswer: {
            data: components["schemas"]["Member"][];
        };
        ListModelsAnswer: {
            data: components["schemas"]["Model"][];
        };
        ListNamesAnswer: {
            data: {
                principal: string;
                name: string;
            }[];
        };
        ListPeopleLogAnswer: {
            data: components["schemas"]["PeopleLogEntry"][];
            nextCursor: string | null;
        };
        ListProgressLinksAnswer: {
            data: components["schemas"]["ProgressLink"][];
        };
        ListRecordAnswer: {
            data: {
                id: string;
                seq: number;
                item?: string;
                attempt?: string;
                data: components["schemas"]["Json"];
            }[];
            nextCursor: string | null;
            seq: number;
        };
        ListTemplatesAnswer: {
            data: {
                value: {
                    name: string;
                    title: string;
                    /** @enum {string} */
                    mode: "goal_only" | "graph_only" | "bound";
                    latest: number;
                    confirmed: number | null;
                    retired: boolean;
                };
                version: number;
                at: number | null;
                by: string | null;
            }[];
        };
        ListTokensAnswer: {
            data: components["schemas"]["Token"][];
        };
        ListTriggersAnswer: {
            data: components["schemas"]["TriggerView"][];
        };
        ListWebhookDeliveriesAnswer: {
            data: {
                seq: number;
                endpoint: string;
                id: string;
                type: string;
                goal: string;
                /** @enum {string} */
                state: "pending" | "delivered" | "failed";
                tries: number;
                madeAt: number;
                nextAt: number | null;
                attempts: {
                    n: number;
                    at: number;
                    ms: number;
                    status: number | null;
                    fault: string | null;
                }[];
            }[];
            endpoints: {
                name: string;
                failingSince: number | null;
                disabled: {
                    at: number;
                    /** @enum {string} */
                    why: "gone" | "failing";
                } | null;
            }[];
            nextCursor: string | null;
        };
        Made: {
            /** @constant */
            outcome: "applied";
            result: components["schemas"]["Json"];
            replayed: boolean;
        };
        /** @description Set a remote MCP server, whole. */
        McpPut: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "mcp.put";
            commandId?: string;
            /** @default {} */
            expected?: {
                version?: number;
            };
            payload: {
                name: string;
                url: string;
                header?: {
                    name: string;
                    /** @default  */
                    prefix?: string;
                    secret: string;
                };
                tools: string[];
                readOnly?: string[];
            };
            reason?: string;
            /** @default false */
            dryRun?: boolean;
        };
        /** @description Remove an MCP server. */
        McpRemove: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "mcp.remove";
            commandId?: string;
            /** @default {} */
            expected?: {
                version?: number;
            };
            payload: {
                name: string;
            };
            reason?: string;
            /** @default false */
            dryRun?: boolean;
        };
        Member: {
            id: string;
            principal: string;
            name: string;
            email?: string;
            /** @enum {string} */
            role: "owner" | "admin" | "operator" | "reviewer" | "viewer";
            since: number;
        };
        /** @description Invite a person by e-mail; an earlier invitation of the same address falls. */
        MemberInvite: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "member.invite";
            commandId?: string;
            payload: {
                /** Format: email */
                email: string;
                /** @enum {string} */
                role: "owner" | "admin" | "operator" | "reviewer" | "viewer";
                /** @default 7 */
                expiresInDays?: number;
            };
            reason?: string;
            /** @default false */
            dryRun?: boolean;
        };
        /** @description Leave the workspace. */
        MemberLeave: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "member.leave";
            commandId?: string;
            payload?: Record<string, never>;
            reason?: string;
            /** @default false */
            dryRun?: boolean;
        };
        /** @description Remove a member; their sessions see the workspace no more. */
        MemberRemove: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "member.remove";
            commandId?: string;
            payload: {
                member: string;
            };
            reason?: string;
            /** @default false */
            dryRun?: boolean;
        };
        /** @description Choose what one is written of, as oneself; null goes back to what holds where nothing is chosen. */
        MemberSetMail: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "member.setMail";
            commandId?: string;
            payload: {
                kinds: ("goal.completed" | "goal.cancelled" | "goal.stopped" | "item.accepted" | "item.returned" | "trigger.fired" | "blocker.raised" | "approval.asked" | "review.wanted" | "budget.stopped" | "person.needed" | "endpoint.disabled")[] | null;
            };
            reason?: string;
            /** @default false */
            dryRun?: boolean;
        };
        /** @description Give a member another role. */
        MemberSetRole: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "member.setRole";
            commandId?: string;
            payload: {
                member: string;
                /** @enum {string} */
                role: "owner" | "admin" | "operator" | "reviewer" | "viewer";
            };
            reason?: string;
            /** @default false */
            dryRun?: boolean;
        };
        /** @description Mark messages as handled. */
        MessageHandle: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "message.handle";
            commandId?: string;
            /** @default {} */
            expected?: components["schemas"]["Expected"];
            payload: {
                upTo: number;
            };
            reason?: string;
            /** @default false */
            dryRun?: boolean;
        };
        /** @description Say something to the goal. */
        MessagePost: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "message.post";
            commandId?: string;
            /** @default {} */
            expected?: components["schemas"]["Expected"];
            payload: {
                text: string;
                /**
                 * @default nothing
                 * @enum {string}
                 */
                asks?: "nothing" | "plan" | "draft" | "change";
            };
            reason?: string;
            /** @default false */
            dryRun?: boolean;
        };
        /** @description Add a milestone. */
        MilestoneDefine: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "milestone.define";
            commandId?: string;
            /** @default {} */
            expected?: components["schemas"]["Expected"];
            payload: {
                milestone: {
                    key: string;
                    title: string;
                    target: number | {
                        fact: string;
                    };
                    /** @default false */
                    confirm?: boolean;
                };
            };
            reason?: string;
            /** @default false */
            dryRun?: boolean;
        };
        Model: {
            window: number;
            output: number;
            warnings: ("window_small" | "window_assumed" | "price_unknown" | "deprecated")[];
        } & {
            [key: string]: unknown;
        };
        NewGoal: {
            /**
             * @default bound
             * @enum {string}
             */
            mode?: "goal_only" | "graph_only" | "bound";
            title?: string;
            contract?: components["schemas"]["ContractInput"];
            limits?: {
                /** @default 200 */
                rounds?: number;
                /** @default 604800000 */
                wallTimeMs?: number;
                /** @default 4 */
                parallelRounds?: number;
                /** @default 2 */
                emptyRounds?: number;
                /** @default 5 */
                attempts?: number;
                /** @default 5000 */
                stepsPerRound?: number;
                /**
                 * @default {
                 *       "window": 8,
                 *       "stride": 10
                 *     }
                 */
                drift?: {
                    window: number;
                    stride: number;
                };
                /** @default 10000000 */
                tokens?: number;
                /**
                 * @default {
                 *       "amount": 2000,
                 *       "currency": "USD"
                 *     }
                 */
                money?: {
                    amount: number;
                    currency: string;
                };
            };
            lanes?: {
                coordinator?: components["schemas"]["ExecutorInput"];
                /** @default [] */
                reviewers?: components["schemas"]["ExecutorInput"][];
            };
            /** @default false */
            confirmed?: boolean;
            plan?: components["schemas"]["Json"];
            origin?: {
                template: {
                    name: string;
                    version: number;
                    digest: string;
                };
                parameters: {
                    [key: string]: components["schemas"]["Json"];
                };
                by: string;
                trigger?: {
                    name: string;
                    id: string;
                    firing: string;
                };
            };
        };
        NewGoalFromSentence: {
            sentence: string;
            /**
             * @default bound
             * @enum {string}
             */
            mode?: "goal_only" | "bound";
            contract?: components["schemas"]["ContractInput"];
            limits?: {
                rounds?: number;
                wallTimeMs?: number;
                parallelRounds?: number;
                emptyRounds?: number;
                attempts?: number;
                stepsPerRound?: number;
                drift?: {
                    window: number;
                    stride: number;
                };
                tokens?: number;
                money?: {
                    amount: number;
                    currency: string;
                };
            };
            lanes?: {
                coordinator?: components["schemas"]["ExecutorInput"];
                /** @default [] */
                reviewers?: components["schemas"]["ExecutorInput"][];
            };
            /** @default true */
            intake?: boolean;
        };
        Next: {
            goalVersion: number;
            seq: number;
            why: components["schemas"]["Why"];
            who: {
                mover: string;
                /** @enum {string} */
                act: "confirm" | "resume" | "raise_limit" | "set_connection" | "run" | "check" | "answer" | "decide" | "review" | "attest" | "reconcile" | "signal" | "time" | "carry";
                ref: string;
                due?: number;
                missing?: string;
            }[];
        };
        /** @description An entry to a note. */
        NoteAppend: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "note.append";
            commandId?: string;
            /** @default {} */
            expected?: components["schemas"]["Expected"];
            payload: {
                topic: string;
                text: string;
            };
            reason?: string;
            /** @default false */
            dryRun?: boolean;
        };
        /** @description A new revision of a note. */
        NoteRevise: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "note.revise";
            commandId?: string;
            /** @default {} */
            expected?: components["schemas"]["Expected"];
            payload: {
                topic: string;
                revision: number;
                text: string;
            };
            reason?: string;
            /** @default false */
            dryRun?: boolean;
        };
        Notifications: {
            mail: {
                /** @enum {string} */
                way: "mailbox" | "service" | "cloudflare" | "none";
                address: string | null;
                confirmed: boolean;
                kinds: ("goal.completed" | "goal.cancelled" | "goal.stopped" | "item.accepted" | "item.returned" | "trigger.fired" | "blocker.raised" | "approval.asked" | "review.wanted" | "budget.stopped" | "person.needed" | "endpoint.disabled")[] | null;
                byDefault: ("goal.completed" | "goal.cancelled" | "goal.stopped" | "item.accepted" | "item.returned" | "trigger.fired" | "blocker.raised" | "approval.asked" | "review.wanted" | "budget.stopped" | "person.needed" | "endpoint.disabled")[];
            };
            chat: {
                byDefault: ("goal.completed" | "goal.cancelled" | "goal.stopped" | "item.accepted" | "item.returned" | "trigger.fired" | "blocker.raised" | "approval.asked" | "review.wanted" | "budget.stopped" | "person.needed" | "endpoint.disabled")[];
            };
            kinds: ("goal.completed" | "goal.cancelled" | "goal.stopped" | "item.accepted" | "item.returned" | "trigger.fired" | "blocker.raised" | "approval.asked" | "review.wanted" | "budget.stopped" | "person.needed" | "endpoint.disabled")[];
        };
        OpenLinkBody: {
            link: string;
            commandId: string;
        };
        /** @description Which hosts may be reached. */
        OutgoingSet: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "outgoing.set";
            commandId?: string;
            /** @default {} */
            expected?: {
                version?: number;
            };
            payload?: {
                /** @default null */
                allow?: string[] | null;
                /** @default [] */
                deny?: string[];
            };
            reason?: string;
            /** @default false */
            dryRun?: boolean;
        };
        PauseGoalBody: {
            commandId?: string;
            expected?: {
                goalVersion?: number;
            };
            reason?: string;
            dryRun?: boolean;
        };
        PeopleApplied: {
            /** @constant */
            outcome: "applied";
            result?: components["schemas"]["Json"];
            secret?: string;
            link?: string;
            mailed?: boolean;
            replayed?: boolean;
            dryRun: boolean;
        };
        PeopleLogEntry: {
            at: number;
            principal: string;
            commandId: string;
            type: string;
            address: string | null;
            reason: string | null;
            before: components["schemas"]["Json"];
            after: components["schemas"]["Json"];
        };
        /** @description Make a sealed proposal the active revision. */
        PlanAdopt: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "plan.adopt";
            commandId?: string;
            /** @default {} */
            expected?: components["schemas"]["Expected"];
            payload: {
                proposal: string;
                /** @default [] */
                supersede?: string[];
            };
            reason?: string;
            /** @default false */
            dryRun?: boolean;
        };
        PlanDocumentInput: {
            /** @enum {string} */
            mode: "bound" | "graph_only";
            items: {
                key: string;
                /**
                 * @default produce
                 * @enum {string}
                 */
                kind?: "produce" | "review" | "verify" | "integrate";
                title: string;
                /** @default  */
                objective?: string;
                /** @default  */
                deliverable?: string;
                /** @default [] */
                acceptance?: {
                    id: string;
                    text: string;
                }[];
                /** @default [] */
                covers?: string[];
                /** @default [] */
                inputs?: string[];
                /** @default [] */
                outputs?: {
                    scope: string;
                    /**
                     * @default exclusive
                     * @enum {string}
                     */
                    access?: "exclusive" | "shared";
                }[];
                /** @default [] */
                dependsOn?: {
                    key: string;
                    /**
                     * @default hard
                     * @enum {string}
                     */
                    kind?: "hard" | "soft";
                }[];
                parent?: string;
                /** @default true */
                required?: boolean;
                executor?: components["schemas"]["ExecutorInput"];
                /**
                 * @default [
                 *       {
                 *         "by": "checks"
                 *       }
                 *     ]
                 */
                review?: ({
                    /** @constant */
                    by: "checks";
                } | {
                    /** @constant */
                    by: "agent";
                    reviewer?: components["schemas"]["ExecutorInput"];
                    /** @default 1 */
                    count?: number;
                } | {
                    /** @constant */
                    by: "person";
                    /** @default 1 */
                    count?: number;
                })[];
                /** @default [] */
                checks?: components["schemas"]["CheckInput"][];
                /** @default {} */
                limits?: {
                    attempts?: number;
                    stepsPerRound?: number;
                    tokens?: number;
                    money?: number;
                };
                input?: components["schemas"]["Json"];
            }[];
        };
        /** @description Seal a plan document; authorizes nothing. */
        PlanPropose: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "plan.propose";
            commandId?: string;
            /** @default {} */
            expected?: components["schemas"]["Expected"];
            payload: {
                document: components["schemas"]["PlanDocumentInput"];
            };
            reason?: string;
            /** @default false */
            dryRun?: boolean;
        };
        /** @description Reject or withdraw a proposal. */
        PlanReject: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "plan.reject";
            commandId?: string;
            /** @default {} */
            expected?: components["schemas"]["Expected"];
            payload: {
                proposal: string;
            };
            reason?: string;
            /** @default false */
            dryRun?: boolean;
        };
        /** @description Rules for calls, in force beside those of each contract: deny beats ask beats allow. */
        PolicySet: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "policy.set";
            commandId?: string;
            /** @default {} */
            expected?: {
                version?: number;
            };
            payload: {
                rules: {
                    tool: string;
                    /** @default [] */
                    where?: {
                        pointer: string;
                        equals?: components["schemas"]["Json"];
                        matches?: string;
                    }[];
                    /** @enum {string} */
                    then: "allow" | "ask" | "deny";
                }[];
            };
            reason?: string;
            /** @default false */
            dryRun?: boolean;
        };
        PostToGoalBody: {
            to: string;
            text: string;
            commandId: string;
        };
        Problem: {
            type: string;
            title: string;
            status: number;
            /** @enum {string} */
            code: "not_found" | "forbidden" | "scope_missing" | "unauthenticated" | "goal_version_stale" | "plan_revision_stale" | "item_version_stale" | "version_required" | "fence_stale" | "lease_lost" | "round_superseded" | "goal_paused" | "goal_not_active" | "invalid_transition" | "dependency_not_accepted" | "output_taken" | "plan_invalid" | "evidence_missing" | "evidence_foreign" | "self_review" | "submission_superseded" | "digest_mismatch" | "criterion_unproven" | "graph_open" | "effect_unknown" | "needs_rework" | "non_goal_forbidden" | "policy_denied" | "address_refused" | "fact_required" | "fact_unknown" | "approval_required" | "approval_mismatch" | "budget_exceeded" | "quota_exceeded" | "limit_exceeded" | "already_claimed" | "link_unknown" | "link_not_yours" | "link_ended" | "link_used" | "link_gone" | "command_reused" | "schema_invalid" | "malformed_data" | "archive_invalid" | "record_newer" | "goal_erased" | "template_invalid" | "template_unconfirmed" | "workspace_erased" | "signature_invalid" | "delivery_reused" | "setting_missing" | "setting_stale" | "setting_in_use" | "sealing_unavailable" | "rate_limited" | "not_configured" | "unavailable";
            detail: string;
            todo: string;
            requestId: string;
            retryable: boolean;
            /** @enum {string} */
            effect: "none" | "applied" | "unknown";
            errors: {
                pointer: string;
                code: string;
                detail?: string;
            }[];
            current: components["schemas"]["Json"];
            allowedNext: string[];
        };
        /** @description Set an agent profile, whole. */
        ProfilePut: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "profile.put";
            commandId?: string;
            /** @default {} */
            expected?: {
                version?: number;
            };
            payload: {
                name: string;
                provider?: string;
                model?: string;
                window?: number;
                output?: number;
                prices?: {
                    /** @default USD */
                    currency?: string;
                    input: number;
                    output: number;
                    cacheRead?: number;
                    cacheWrite?: number;
                };
                instructions?: string;
                temperature?: number;
            };
            reason?: string;
            /** @default false */
            dryRun?: boolean;
        };
        /** @description Remove a profile; a built-in one goes back to `default`. */
        ProfileRemove: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "profile.remove";
            commandId?: string;
            /** @default {} */
            expected?: {
                version?: number;
            };
            payload: {
                name: string;
            };
            reason?: string;
            /** @default false */
            dryRun?: boolean;
        };
        Progress: {
            title: string;
            /** @enum {string} */
            status: "draft" | "active" | "paused" | "completed" | "cancelled";
            /** @enum {string} */
            why: "terminal" | "draft" | "paused" | "budget" | "deadline" | "running" | "ready" | "queued" | "checking" | "waiting" | "blocked" | "no_progress" | "suspended";
            at: number;
            until: number;
            criteria: {
                proven: number;
                of: number;
            };
            items: {
                accepted: number;
                required: number;
            };
            milestones: {
                title: string;
                count: number;
                target: number | null;
            }[];
            waits: {
                /** @enum {string} */
                act: "confirm" | "resume" | "raise_limit" | "set_connection" | "run" | "check" | "answer" | "decide" | "review" | "attest" | "reconcile" | "signal" | "time" | "carry";
                count: number;
            }[];
        };
        ProgressLink: {
            name: string;
            goal: string;
            version: number;
            at: number;
            by: string;
            until: number;
            link: string | null;
        };
        /** @description Give out a read-only page of a goal: whoever has its link reads it, until it runs out. Put again it has another link. */
        ProgressPut: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "progress.put";
            commandId?: string;
            /** @default {} */
            expected?: {
                version?: number;
            };
            payload: {
                name: string;
                goal: string;
                /** @default 30 */
                expiresInDays?: number;
            };
            reason?: string;
            /** @default false */
            dryRun?: boolean;
        };
        /** @description Take a read-only page back: its link opens nothing any more. */
        ProgressRemove: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "progress.remove";
            commandId?: string;
            /** @default {} */
            expected?: {
                version?: number;
            };
            payload: {
                name: string;
            };
            reason?: string;
            /** @default false */
            dryRun?: boolean;
        };
        /** @description Set a provider of models, whole. */
        ProviderPut: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "provider.put";
            commandId?: string;
            /** @default {} */
            expected?: {
                version?: number;
            };
            payload: {
                name: string;
                /** @enum {string} */
                kind: "anthropic" | "openai" | "google" | "openai-compatible" | "workers-ai";
                baseUrl?: string;
                secret?: string;
            };
            reason?: string;
            /** @default false */
            dryRun?: boolean;
        };
        /** @description Remove a provider that no profile uses. */
        ProviderRemove: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "provider.remove";
            commandId?: string;
            /** @default {} */
            expected?: {
                version?: number;
            };
            payload: {
                name: string;
            };
            reason?: string;
            /** @default false */
            dryRun?: boolean;
        };
        ProviderTest: {
            ok: boolean;
            provider: string;
            model: string;
            worked: {
                answer: boolean;
                toolCall: boolean;
                toolResult: boolean;
            };
            latencyMs: number | null;
            used: {
                tokens: number;
                money: number | null;
            } | null;
            window: number;
            output: number;
            prices: {
                /** @default USD */
                currency: string;
                input: number;
                output: number;
                cacheRead?: number;
                cacheWrite?: number;
                long?: {
                    input: number;
                    output: number;
                    cacheRead?: number;
                    cacheWrite?: number;
                    above: number;
                }[];
            } | null;
            readonly warnings: ("window_small" | "window_assumed" | "price_unknown" | "deprecated")[];
            problem?: {
                code: string;
                detail: string;
                todo: string;
                retryAfterMs?: number;
            };
        };
        RebuildWorkspaceAnswer: {
            rebuilt: string[];
            failed: string[];
            nextCursor: string | null;
        };
        Rebuilt: {
            goal: string;
        } & {
            [key: string]: unknown;
        };
        Receipt: {
            /** @enum {string} */
            kind: "workspace" | "person";
            subject: string;
            askedBy: string;
            askedAt: number;
            doneAt: number;
            erased: {
                [key: string]: number;
            };
            kept: {
                what: string;
                why: string;
            }[];
            auditHead?: {
                seq: number;
                digest: string;
            };
            digest: string;
        };
        ReplayWebhookDeliveryAnswer: {
            /** @constant */
            outcome: "replayed";
            id: string;
        };
        RequestPasswordResetBody: {
            /** Format: email */
            email: string;
        };
        ResetPasswordBody: {
            newPassword: string;
            token: string;
        };
        ResumeGoalBody: {
            commandId?: string;
            expected?: {
                goalVersion?: number;
            };
            reason?: string;
            dryRun?: boolean;
        };
        ResumePacket: {
            goalVersion: number;
            planRevision: number;
            seq: number;
            milestones: {
                key: string;
                title: string;
                count: number;
                target: number | null;
            }[];
            next: {
                ready: string[];
                blocked: string[];
                submitted: string[];
                counts: {
                    [key: string]: number;
                };
            };
            decisions: {
                subject: string;
                verdict: string;
                reason: string;
                done: string;
            }[];
            fallen?: {
                count: number;
                head: {
                    id: string;
                    subject: string;
                    verdict: string;
                    evidence: string;
                }[];
            };
            reviewList: {
                count: number;
                head: string[];
            };
            effects: {
                id: string;
                tool: string;
                state: string;
            }[];
            approvals: {
                id: string;
                tool: string;
                state: string;
            }[];
            children: {
                id: string;
                name: string;
                state: string;
            }[];
            facts: {
                count: number;
                keys: string[];
            };
            messages: {
                count: number;
                head: {
                    message: number;
                    by: string;
                    text: string;
                    goalVersion: number;
                    older: boolean;
                }[];
            };
            feedback: {
                submission: string;
                by: string;
                verdict: string;
                scene: components["schemas"]["Scene"] | null;
            }[];
            before: {
                round: string;
                outcome: string;
                at: number;
            } | null;
            recovery: boolean;
            rest: {
                [key: string]: string;
            };
        };
        /** @description Set subjects aside for a person. */
        ReviewListAdd: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "review_list.add";
            commandId?: string;
            /** @default {} */
            expected?: components["schemas"]["Expected"];
            payload: {
                entries: {
                    subject: string;
                    milestone?: string;
                    note: string;
                }[];
            };
            reason?: string;
            /** @default false */
            dryRun?: boolean;
        };
        /** @description A person dealt with a subject. */
        ReviewListResolve: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "review_list.resolve";
            commandId?: string;
            /** @default {} */
            expected?: components["schemas"]["Expected"];
            payload: {
                subject: string;
                milestone?: string;
                resolution: string;
            };
            reason?: string;
            /** @default false */
            dryRun?: boolean;
        };
        /** @description A verdict on one exact submission. */
        ReviewRecord: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "review.record";
            commandId?: string;
            /** @default {} */
            expected?: components["schemas"]["Expected"];
            payload: {
                submission: string;
                digest: string;
                /** @enum {string} */
                verdict: "accepted" | "changes_requested" | "rejected" | "cannot_judge";
                scene?: {
                    summary: string;
                    missing?: string[];
                    extra?: string[];
                    findings?: {
                        where: string;
                        expected?: string;
                        actual?: string;
                    }[];
                    data?: components["schemas"]["Json"];
                };
                /** @default [] */
                criteria?: {
                    id: string;
                    met: boolean;
                    note?: string;
                }[];
            };
            reason?: string;
            /** @default false */
            dryRun?: boolean;
        };
        RevokeSessionBody: {
            token: string;
        };
        /** @description A Runner takes the round. */
        RoundClaim: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "round.claim";
            commandId?: string;
            /** @default {} */
            expected?: components["schemas"]["Expected"];
            payload: {
                round: string;
                fence: number;
                runner: string;
            };
            reason?: string;
            /** @default false */
            dryRun?: boolean;
        };
        /** @description The round ends. */
        RoundEnd: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "round.end";
            commandId?: string;
            /** @default {} */
            expected?: components["schemas"]["Expected"];
            payload: {
                round?: string;
                /** @enum {string} */
                outcome: "submitted" | "handed_back" | "blocked" | "waiting" | "empty" | "failed" | "interrupted";
                last?: {
                    call: string;
                    ok: boolean;
                    summary: string;
                    kept?: {
                        digest: string;
                        size: number;
                    };
                    ms?: number;
                    used?: {
                        tokens: number;
                        money: number;
                        cacheRead?: number;
                        cacheWrite?: number;
                    };
                };
                note?: string;
                wait?: {
                    /** @enum {string} */
                    kind: "timer" | "external";
                    correlation: string;
                    dueInMs?: number;
                    reason: string;
                };
                retryAfterMs?: number;
                /** @default false */
                finish?: boolean;
            };
            reason?: string;
            /** @default false */
            dryRun?: boolean;
        };
        /** @description What the workspace answered about a place and a share of its budget for a round. */
        RoundGrant: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "round.grant";
            commandId?: string;
            /** @default {} */
            expected?: components["schemas"]["Expected"];
            payload: {
                round: string;
                fence: number;
                answer: {
                    /** @constant */
                    is: "granted";
                    tokens: number;
                    money: number;
                } | {
                    /** @constant */
                    is: "held";
                    /** @enum {string} */
                    by: "places" | "reserved" | "budget" | "connection";
                    /** @enum {string} */
                    limit?: "tokens" | "money";
                    spent?: {
                        /** @enum {string} */
                        window: "day" | "month" | "total";
                        used: number;
                        reserved: number;
                        of: number;
                    };
                    connection?: {
                        setting: string;
                        code: string;
                        detail: string;
                        person: boolean;
                    };
                    retryAfterMs: number;
                } | {
                    /** @constant */
                    is: "over";
                };
            };
            reason?: string;
            /** @default false */
            dryRun?: boolean;
        };
        /** @description What carries the round: the model and the built-in skills, as they were at its start. */
        RoundPin: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "round.pin";
            commandId?: string;
            /** @default {} */
            expected?: components["schemas"]["Expected"];
            payload: {
                model: string;
                profile: string;
                window: number;
                skills: {
                    name: string;
                    version: string;
                }[];
            };
            reason?: string;
            /** @default false */
            dryRun?: boolean;
        };
        /** @description Schedule a round. */
        RoundSchedule: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "round.schedule";
            commandId?: string;
            /** @default {} */
            expected?: components["schemas"]["Expected"];
            payload: {
                /** @enum {string} */
                lane: "coordinator" | "worker" | "reviewer";
                target: string;
                purpose?: string;
                blocker?: string;
                message?: number;
                executor: components["schemas"]["ExecutorInput"];
            };
            reason?: string;
            /** @default false */
            dryRun?: boolean;
        };
        /** @description The workspace knows that these grants are over, and what was used under them. */
        RoundSettle: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "round.settle";
            commandId?: string;
            /** @default {} */
            expected?: components["schemas"]["Expected"];
            payload: {
                settled: {
                    round: string;
                    fence: number;
                    asOf: number;
                }[];
            };
            reason?: string;
            /** @default false */
            dryRun?: boolean;
        };
        /** @description The round begins. */
        RoundStart: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "round.start";
            commandId?: string;
            /** @default {} */
            expected?: components["schemas"]["Expected"];
            payload: {
                round: string;
                fence: number;
                runner: string;
                model?: string;
            };
            reason?: string;
            /** @default false */
            dryRun?: boolean;
        };
        /** @description Record the last call and authorize the next. */
        RoundStep: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "round.step";
            commandId?: string;
            /** @default {} */
            expected?: components["schemas"]["Expected"];
            payload?: {
                last?: {
                    call: string;
                    ok: boolean;
                    summary: string;
                    kept?: {
                        digest: string;
                        size: number;
                    };
                    ms?: number;
                    used?: {
                        tokens: number;
                        money: number;
                        cacheRead?: number;
                        cacheWrite?: number;
                    };
                };
                next?: {
                    tool: string;
                    args: components["schemas"]["Json"];
                    subject: string;
                    /** @enum {string} */
                    effect: "none" | "record" | "outside";
                    /** @default [] */
                    factOnly?: string[];
                    timeoutMs?: number;
                    reserve?: {
                        tokens: number;
                        money: number;
                        currency?: string;
                    };
                    /** @enum {string} */
                    otherwise?: "allow" | "ask";
                    probe?: components["schemas"]["Json"];
                };
            };
            reason?: string;
            /** @default false */
            dryRun?: boolean;
        };
        Scene: {
            summary: string;
            missing?: string[];
            extra?: string[];
            findings?: {
                where: string;
                expected?: string;
                actual?: string;
            }[];
            data?: components["schemas"]["Json"];
        };
        /** @description Seal a value under a name. It can be used and replaced, never read. */
        SecretPut: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "secret.put";
            commandId?: string;
            /** @default {} */
            expected?: {
                version?: number;
            };
            payload: {
                name: string;
                value: string;
            };
            reason?: string;
            /** @default false */
            dryRun?: boolean;
        };
        /** @description Delete a secret that no setting uses. */
        SecretRemove: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "secret.remove";
            commandId?: string;
            /** @default {} */
            expected?: {
                version?: number;
            };
            payload: {
                name: string;
            };
            reason?: string;
            /** @default false */
            dryRun?: boolean;
        };
        Secrets: {
            data: {
                name: string;
                version: number;
                at: number;
                by: string;
                lastUsedAt: number | null;
                usedBy: string[];
            }[];
            masterKey: number | null;
            refusal: {
                /** @constant */
                refused: true;
                /** @enum {string} */
                code: "not_found" | "forbidden" | "scope_missing" | "unauthenticated" | "goal_version_stale" | "plan_revision_stale" | "item_version_stale" | "version_required" | "fence_stale" | "lease_lost" | "round_superseded" | "goal_paused" | "goal_not_active" | "invalid_transition" | "dependency_not_accepted" | "output_taken" | "plan_invalid" | "evidence_missing" | "evidence_foreign" | "self_review" | "submission_superseded" | "digest_mismatch" | "criterion_unproven" | "graph_open" | "effect_unknown" | "needs_rework" | "non_goal_forbidden" | "policy_denied" | "address_refused" | "fact_required" | "fact_unknown" | "approval_required" | "approval_mismatch" | "budget_exceeded" | "quota_exceeded" | "limit_exceeded" | "already_claimed" | "link_unknown" | "link_not_yours" | "link_ended" | "link_used" | "link_gone" | "command_reused" | "schema_invalid" | "malformed_data" | "archive_invalid" | "record_newer" | "goal_erased" | "template_invalid" | "template_unconfirmed" | "workspace_erased" | "signature_invalid" | "delivery_reused" | "setting_missing" | "setting_stale" | "setting_in_use" | "sealing_unavailable" | "rate_limited" | "not_configured" | "unavailable";
                detail?: string;
                errors?: {
                    pointer: string;
                    code: string;
                    detail?: string;
                }[];
                current?: components["schemas"]["Json"];
                allowedNext?: string[];
            } | null;
        };
        SendVerificationEmailBody: {
            /** Format: email */
            email: string;
        };
        ServerTest: {
            ok: boolean;
            server: string;
            problem?: {
                code: string;
                detail: string;
            };
            offered: {
                name: string;
                description: string;
                readOnly: boolean;
            }[];
            usable: string[];
            missing: {
                [key: string]: string;
            };
        };
        Set: {
            /** @constant */
            from: "fact";
            key: string;
        } | {
            /** @constant */
            from: "ledger";
            milestone: string;
            verdict?: string;
        } | {
            /** @constant */
            from: "review_list";
            milestone: string;
        } | {
            /** @constant */
            from: "fact_keys";
            prefix: string;
        } | {
            /** @constant */
            from: "rows";
            file: components["schemas"]["FileOrDeliverable"];
            id: string;
            /** @default [] */
            where: {
                field: string;
                equals?: string;
                startsWith?: string;
                matches?: string;
            }[];
        } | {
            /** @constant */
            from: "literal";
            ids: string[];
        };
        SetInput: {
            /** @constant */
            from: "fact";
            key: string;
        } | {
            /** @constant */
            from: "ledger";
            milestone: string;
            verdict?: string;
        } | {
            /** @constant */
            from: "review_list";
            milestone: string;
        } | {
            /** @constant */
            from: "fact_keys";
            prefix: string;
        } | {
            /** @constant */
            from: "rows";
            file: components["schemas"]["FileOrDeliverableInput"];
            id: string;
            /** @default [] */
            where?: {
                field: string;
                equals?: string;
                startsWith?: string;
                matches?: string;
            }[];
        } | {
            /** @constant */
            from: "literal";
            ids: string[];
        };
        SetQuotasAnswer: {
            /** @constant */
            outcome: "applied";
            workspace: string;
        };
        SetQuotasBody: {
            openGoals?: number | null;
            storageBytes?: number | null;
        };
        SettingApplied: {
            /** @constant */
            outcome: "applied";
            version: number;
            replayed: boolean;
            dryRun: boolean;
            result?: components["schemas"]["Json"];
        };
        Settings: {
            version: number;
            providers: {
                value: {
                    name: string;
                    /** @enum {string} */
                    kind: "anthropic" | "openai" | "google" | "openai-compatible" | "workers-ai";
                    baseUrl?: string;
                    secret?: string;
                };
                version: number;
                at: number | null;
                by: string | null;
            }[];
            profiles: {
                value: {
                    name: string;
                    provider?: string;
                    model?: string;
                    window?: number;
                    output?: number;
                    prices?: {
                        /** @default USD */
                        currency: string;
                        input: number;
                        output: number;
                        cacheRead?: number;
                        cacheWrite?: number;
                    };
                    instructions?: string;
                    temperature?: number;
                };
                version: number;
                at: number | null;
                by: string | null;
            }[];
            mcp: {
                value: {
                    name: string;
                    url: string;
                    header?: {
                        name: string;
                        /** @default  */
                        prefix: string;
                        secret: string;
                    };
                    tools: string[];
                    readOnly?: string[];
                };
                version: number;
                at: number | null;
                by: string | null;
            }[];
            webhooks: {
                value: {
                    name: string;
                    url: string;
                    secrets: string[];
                    events?: ("goal.completed" | "goal.cancelled" | "goal.stopped" | "item.accepted" | "item.returned" | "trigger.fired" | "blocker.raised" | "approval.asked" | "review.wanted" | "budget.stopped" | "person.needed" | "endpoint.disabled")[];
                    goals?: string[];
                };
                version: number;
                at: number | null;
                by: string | null;
            }[];
            chats: {
                value: {
                    name: string;
                    /** @enum {string} */
                    kind: "slack" | "feishu" | "dingtalk" | "wecom" | "discord" | "teams";
                    address: string;
                    signing?: string;
                    /**
                     * @default en
                     * @enum {string}
                     */
                    language: "en" | "zh";
                    events?: ("goal.completed" | "goal.cancelled" | "goal.stopped" | "item.accepted" | "item.returned" | "trigger.fired" | "blocker.raised" | "approval.asked" | "review.wanted" | "budget.stopped" | "person.needed" | "endpoint.disabled")[];
                    goals?: string[];
                };
                version: number;
                at: number | null;
                by: string | null;
            }[];
            outgoing: {
                value: {
                    /** @default null */
                    allow: string[] | null;
                    /** @default [] */
                    deny: string[];
                };
                version: number;
                at: number | null;
                by: string | null;
            };
            policy: {
                value: {
                    rules: {
                        tool: string;
                        /** @default [] */
                        where: {
                            pointer: string;
                            equals?: components["schemas"]["Json"];
                            matches?: string;
                        }[];
                        /** @enum {string} */
                        then: "allow" | "ask" | "deny";
                    }[];
                };
                version: number;
                at: number | null;
                by: string | null;
            };
            budget: {
                value: {
                    currency: string;
                    period?: {
                        /** @enum {string} */
                        of: "day" | "month";
                        tokens?: number;
                        micros?: number;
                    };
                    total?: {
                        tokens?: number;
                        micros?: number;
                    };
                    parallelRounds: number;
                };
                version: number;
                at: number | null;
                by: string | null;
            };
            connections: {
                setting: string;
                /** @enum {string} */
                kind: "model" | "mcp";
                shown: string;
                /** @enum {string} */
                standing: "works" | "later" | "refused";
                code: string | null;
                detail: string;
                at: number;
                again: number | null;
            }[];
        };
        SignInBody: {
            /** Format: email */
            email: string;
            password: string;
        };
        SignInElsewhereBody: {
            provider: string;
            callbackURL?: string;
        };
        SignUpBody: {
            /** Format: email */
            email: string;
            password: string;
            name: string;
        };
        /** @description Cancel a child. */
        SubagentCancel: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "subagent.cancel";
            commandId?: string;
            /** @default {} */
            expected?: components["schemas"]["Expected"];
            payload: {
                subagent: string;
            };
            reason?: string;
            /** @default false */
            dryRun?: boolean;
        };
        /** @description A child's result, kept whole and returned once. */
        SubagentReturn: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "subagent.return";
            commandId?: string;
            /** @default {} */
            expected?: components["schemas"]["Expected"];
            payload: {
                ok: boolean;
                result: components["schemas"]["Json"];
            };
            reason?: string;
            /** @default false */
            dryRun?: boolean;
        };
        /** @description Admit children under the live Attempt. */
        SubagentSpawn: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "subagent.spawn";
            commandId?: string;
            /** @default {} */
            expected?: components["schemas"]["Expected"];
            payload: {
                children: {
                    name: string;
                    executor?: components["schemas"]["ExecutorInput"];
                    brief: components["schemas"]["Json"];
                    briefFile?: {
                        digest: string;
                        size: number;
                    };
                    limits?: {
                        tokens?: number;
                        money?: number;
                    };
                }[];
            };
            reason?: string;
            /** @default false */
            dryRun?: boolean;
        };
        /** @description Deliver a candidate; ends the round. */
        SubmissionSubmit: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "submission.submit";
            commandId?: string;
            /** @default {} */
            expected?: components["schemas"]["Expected"];
            payload: {
                item: string;
                fence?: number;
                artifacts: components["schemas"]["FileInput"][];
                summary: string;
                /** @default [] */
                claims?: {
                    criterion: string;
                    evidence: string[];
                }[];
            };
            reason?: string;
            /** @default false */
            dryRun?: boolean;
        };
        /** @description The agent's own list of steps; moves nothing. */
        TasksSet: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "tasks.set";
            commandId?: string;
            /** @default {} */
            expected?: components["schemas"]["Expected"];
            payload: {
                tasks: {
                    text: string;
                    done: boolean;
                }[];
            };
            reason?: string;
            /** @default false */
            dryRun?: boolean;
        };
        Template: {
            name: string;
            title: string;
            /** @default  */
            description: string;
            /**
             * @default bound
             * @enum {string}
             */
            mode: "goal_only" | "graph_only" | "bound";
            /** @default {} */
            parameters: {
                [key: string]: {
                    title?: string;
                    description?: string;
                    /** @constant */
                    type: "string";
                    minLength?: number;
                    /** @default 2000 */
                    maxLength: number;
                    enum?: string[];
                    /** @enum {string} */
                    format?: "date" | "date-time" | "email" | "uri";
                    default?: string;
                } | {
                    title?: string;
                    description?: string;
                    /** @constant */
                    type: "integer";
                    minimum?: number;
                    maximum?: number;
                    default?: number;
                } | {
                    title?: string;
                    description?: string;
                    /** @constant */
                    type: "number";
                    minimum?: number;
                    maximum?: number;
                    default?: number;
                } | {
                    title?: string;
                    description?: string;
                    /** @constant */
                    type: "boolean";
                    default?: boolean;
                } | {
                    title?: string;
                    description?: string;
                    /** @constant */
                    type: "array";
                    items: {
                        title?: string;
                        description?: string;
                        /** @constant */
                        type: "string";
                        minLength?: number;
                        /** @default 2000 */
                        maxLength: number;
                        enum?: string[];
                        /** @enum {string} */
                        format?: "date" | "date-time" | "email" | "uri";
                    } | {
                        title?: string;
                        description?: string;
                        /** @constant */
                        type: "integer";
                        minimum?: number;
                        maximum?: number;
                    } | {
                        title?: string;
                        description?: string;
                        /** @constant */
                        type: "number";
                        minimum?: number;
                        maximum?: number;
                    };
                    minItems?: number;
                    /** @default 100 */
                    maxItems: number;
                    default?: components["schemas"]["Json"][];
                };
            };
            contract?: components["schemas"]["Json"];
            goal?: {
                title: string;
                limits?: {
                    /** @default 200 */
                    rounds: number;
                    /** @default 604800000 */
                    wallTimeMs: number;
                    /** @default 4 */
                    parallelRounds: number;
                    /** @default 2 */
                    emptyRounds: number;
                    /** @default 5 */
                    attempts: number;
                    /** @default 5000 */
                    stepsPerRound: number;
                    /**
                     * @default {
                     *       "window": 8,
                     *       "stride": 10
                     *     }
                     */
                    drift: {
                        window: number;
                        stride: number;
                    };
                    /** @default 10000000 */
                    tokens: number;
                    /**
                     * @default {
                     *       "amount": 2000,
                     *       "currency": "USD"
                     *     }
                     */
                    money: {
                        amount: number;
                        currency: string;
                    };
                };
            };
            plan?: components["schemas"]["Json"];
            lanes?: {
                coordinator?: components["schemas"]["Executor"];
                /** @default [] */
                reviewers: components["schemas"]["Executor"][];
            };
        };
        /** @description A person confirms a version: triggers start goals from it. */
        TemplateConfirm: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "template.confirm";
            commandId?: string;
            /** @default {} */
            expected?: {
                version?: number;
            };
            payload: {
                name: string;
                version: number;
            };
            reason?: string;
            /** @default false */
            dryRun?: boolean;
        };
        TemplateDraft: {
            template: {
                [key: string]: components["schemas"]["Json"];
            };
            found: {
                name: string;
                /** @enum {string} */
                type: "string" | "integer" | "number";
                value: string | number;
                other?: string | number;
                /** @enum {string} */
                why: "filled" | "differs" | "of_the_case";
                places: string[];
            }[];
            left: {
                pointer: string;
                /** @enum {string} */
                code: "identity_removed" | "case_in_name";
                detail: string;
            }[];
            problems: {
                pointer: string;
                code: string;
                detail?: string;
            }[];
        };
        TemplateFigures: {
            goals: number;
            data: components["schemas"]["ItemFigures"][];
        };
        /** @description A new version of a template; nothing starts from it by itself before a person confirmed it. */
        TemplatePut: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "template.put";
            commandId?: string;
            /** @default {} */
            expected?: {
                version?: number;
            };
            payload: {
                name: string;
                title: string;
                /** @default  */
                description?: string;
                /**
                 * @default bound
                 * @enum {string}
                 */
                mode?: "goal_only" | "graph_only" | "bound";
                /** @default {} */
                parameters?: {
                    [key: string]: {
                        title?: string;
                        description?: string;
                        /** @constant */
                        type: "string";
                        minLength?: number;
                        /** @default 2000 */
                        maxLength?: number;
                        enum?: string[];
                        /** @enum {string} */
                        format?: "date" | "date-time" | "email" | "uri";
                        default?: string;
                    } | {
                        title?: string;
                        description?: string;
                        /** @constant */
                        type: "integer";
                        minimum?: number;
                        maximum?: number;
                        default?: number;
                    } | {
                        title?: string;
                        description?: string;
                        /** @constant */
                        type: "number";
                        minimum?: number;
                        maximum?: number;
                        default?: number;
                    } | {
                        title?: string;
                        description?: string;
                        /** @constant */
                        type: "boolean";
                        default?: boolean;
                    } | {
                        title?: string;
                        description?: string;
                        /** @constant */
                        type: "array";
                        items: {
                            title?: string;
                            description?: string;
                            /** @constant */
                            type: "string";
                            minLength?: number;
                            /** @default 2000 */
                            maxLength?: number;
                            enum?: string[];
                            /** @enum {string} */
                            format?: "date" | "date-time" | "email" | "uri";
                        } | {
                            title?: string;
                            description?: string;
                            /** @constant */
                            type: "integer";
                            minimum?: number;
                            maximum?: number;
                        } | {
                            title?: string;
                            description?: string;
                            /** @constant */
                            type: "number";
                            minimum?: number;
                            maximum?: number;
                        };
                        minItems?: number;
                        /** @default 100 */
                        maxItems?: number;
                        default?: components["schemas"]["Json"][];
                    };
                };
                contract?: components["schemas"]["Json"];
                goal?: {
                    title: string;
                    limits?: {
                        /** @default 200 */
                        rounds?: number;
                        /** @default 604800000 */
                        wallTimeMs?: number;
                        /** @default 4 */
                        parallelRounds?: number;
                        /** @default 2 */
                        emptyRounds?: number;
                        /** @default 5 */
                        attempts?: number;
                        /** @default 5000 */
                        stepsPerRound?: number;
                        /**
                         * @default {
                         *       "window": 8,
                         *       "stride": 10
                         *     }
                         */
                        drift?: {
                            window: number;
                            stride: number;
                        };
                        /** @default 10000000 */
                        tokens?: number;
                        /**
                         * @default {
                         *       "amount": 2000,
                         *       "currency": "USD"
                         *     }
                         */
                        money?: {
                            amount: number;
                            currency: string;
                        };
                    };
                };
                plan?: components["schemas"]["Json"];
                lanes?: {
                    coordinator?: components["schemas"]["ExecutorInput"];
                    /** @default [] */
                    reviewers?: components["schemas"]["ExecutorInput"][];
                };
            };
            reason?: string;
            /** @default false */
            dryRun?: boolean;
        };
        /** @description Start nothing more from a template that no trigger uses; its versions stay. */
        TemplateRetire: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "template.retire";
            commandId?: string;
            /** @default {} */
            expected?: {
                version?: number;
            };
            payload: {
                name: string;
            };
            reason?: string;
            /** @default false */
            dryRun?: boolean;
        };
        TemplateView: {
            value: {
                name: string;
                title: string;
                /** @enum {string} */
                mode: "goal_only" | "graph_only" | "bound";
                latest: number;
                confirmed: number | null;
                retired: boolean;
            };
            version: number;
            at: number | null;
            by: string | null;
            versions: {
                version: number;
                digest: string;
                at: number;
                by: string;
                confirmed: {
                    at: number;
                    by: string;
                } | null;
            }[];
            document: components["schemas"]["Template"];
            shown: number;
        };
        TestProviderBody: {
            model?: string;
        };
        TestTriggerAnswer: {
            problems: {
                pointer: string;
                code: string;
                detail?: string;
            }[];
            next: number[];
            passes: boolean | null;
            values: components["schemas"]["Json"];
            refusal: components["schemas"]["Json"];
        };
        TestTriggerBody: {
            definition: {
                name: string;
                /** @default  */
                title?: string;
                source: {
                    /** @constant */
                    kind: "cron";
                    cron: string;
                    zone: string;
                    /**
                     * @default {
                     *       "rule": "coalesce"
                     *     }
                     */
                    missed?: {
                        /** @constant */
                        rule: "skip";
                    } | {
                        /** @constant */
                        rule: "coalesce";
                    } | {
                        /** @constant */
                        rule: "replay";
                        most: number;
                    };
                } | {
                    /** @constant */
                    kind: "webhook";
                    /** @enum {string} */
                    style: "standard" | "github" | "stripe" | "slack" | "feishu";
                    secrets: string[];
                    /** @default 300 */
                    toleranceSeconds?: number;
                    filter?: string;
                } | {
                    /** @constant */
                    kind: "api";
                };
                does: {
                    /** @constant */
                    kind: "goal";
                    template: string;
                    /** @default {} */
                    parameters?: {
                        [key: string]: {
                            value: components["schemas"]["Json"];
                        } | {
                            from: string;
                        };
                    };
                    /** @enum {string} */
                    ends: "goal" | "command";
                } | {
                    /** @constant */
                    kind: "signal";
                    goal: {
                        value: components["schemas"]["Json"];
                    } | {
                        from: string;
                    };
                    correlation: {
                        value: components["schemas"]["Json"];
                    } | {
                        from: string;
                    };
                    /**
                     * @default {
                     *       "value": 1
                     *     }
                     */
                    generation?: {
                        value: components["schemas"]["Json"];
                    } | {
                        from: string;
                    };
                    payload?: {
                        value: components["schemas"]["Json"];
                    } | {
                        from: string;
                    };
                } | {
                    /** @constant */
                    kind: "message";
                    goal: {
                        value: components["schemas"]["Json"];
                    } | {
                        from: string;
                    };
                    text: {
                        value: components["schemas"]["Json"];
                    } | {
                        from: string;
                    };
                } | {
                    /** @constant */
                    kind: "answer";
                    round: {
                        value: components["schemas"]["Json"];
                    } | {
                        from: string;
                    };
                    correlation: {
                        value: components["schemas"]["Json"];
                    } | {
                        from: string;
                    };
                    generation: {
                        value: components["schemas"]["Json"];
                    } | {
                        from: string;
                    };
                    payload?: {
                        value: components["schemas"]["Json"];
                    } | {
                        from: string;
                    };
                };
                /**
                 * @default {
                 *       "rule": "skip"
                 *     }
                 */
                overlap?: {
                    /** @constant */
                    rule: "skip";
                } | {
                    /** @constant */
                    rule: "queue";
                    /** @default 60 */
                    withinMinutes?: number;
                } | {
                    /** @constant */
                    rule: "replay";
                    /** @default 20 */
                    most?: number;
                    /** @default 1440 */
                    withinMinutes?: number;
                };
                /** @default false */
                paused?: boolean;
            };
            /** @default null */
            data?: components["schemas"]["Json"];
            /** @default {} */
            headers?: {
                [key: string]: string;
            };
        };
        Token: {
            id: string;
            prefix: string;
            name: string;
            scopes: ("goals:read" | "goals:write" | "work:submit" | "work:review" | "approvals:decide" | "triggers:manage" | "secrets:write" | "usage:read" | "admin")[];
            goals: string[] | null;
            addresses: string[] | null;
            issuedBy: string;
            issuedAt: number;
            expiresAt: number;
            lastUsedAt: number | null;
            revokedAt: number | null;
            /** @enum {string} */
            state: "live" | "expired" | "revoked";
        };
        /** @description Issue a token. Its text is in this one answer and nowhere else. */
        TokenIssue: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "token.issue";
            commandId?: string;
            payload: {
                name: string;
                scopes: ("goals:read" | "goals:write" | "work:submit" | "work:review" | "approvals:decide" | "triggers:manage" | "secrets:write" | "usage:read" | "admin")[];
                /** @default 90 */
                expiresInDays?: number;
                goals?: string[];
                addresses?: string[];
            };
            reason?: string;
            /** @default false */
            dryRun?: boolean;
        };
        /** @description Revoke a token; from now on it opens nothing. */
        TokenRevoke: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "token.revoke";
            commandId?: string;
            payload: {
                token: string;
            };
            reason?: string;
            /** @default false */
            dryRun?: boolean;
        };
        /** @description Fire a trigger now; the same command id is the same firing. */
        TriggerFire: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "trigger.fire";
            commandId?: string;
            /** @default {} */
            expected?: {
                version?: number;
            };
            payload: {
                name: string;
                data?: components["schemas"]["Json"];
            };
            reason?: string;
            /** @default false */
            dryRun?: boolean;
        };
        /** @description Fire no more; what was fired goes on. */
        TriggerPause: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "trigger.pause";
            commandId?: string;
            /** @default {} */
            expected?: {
                version?: number;
            };
            payload: {
                name: string;
            };
            reason?: string;
            /** @default false */
            dryRun?: boolean;
        };
        /** @description Set a trigger, whole: what makes it fire, what a firing does. */
        TriggerPut: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "trigger.put";
            commandId?: string;
            /** @default {} */
            expected?: {
                version?: number;
            };
            payload: {
                name: string;
                /** @default  */
                title?: string;
                source: {
                    /** @constant */
                    kind: "cron";
                    cron: string;
                    zone: string;
                    /**
                     * @default {
                     *       "rule": "coalesce"
                     *     }
                     */
                    missed?: {
                        /** @constant */
                        rule: "skip";
                    } | {
                        /** @constant */
                        rule: "coalesce";
                    } | {
                        /** @constant */
                        rule: "replay";
                        most: number;
                    };
                } | {
                    /** @constant */
                    kind: "webhook";
                    /** @enum {string} */
                    style: "standard" | "github" | "stripe" | "slack" | "feishu";
                    secrets: string[];
                    /** @default 300 */
                    toleranceSeconds?: number;
                    filter?: string;
                } | {
                    /** @constant */
                    kind: "api";
                };
                does: {
                    /** @constant */
                    kind: "goal";
                    template: string;
                    /** @default {} */
                    parameters?: {
                        [key: string]: {
                            value: components["schemas"]["Json"];
                        } | {
                            from: string;
                        };
                    };
                    /** @enum {string} */
                    ends: "goal" | "command";
                } | {
                    /** @constant */
                    kind: "signal";
                    goal: {
                        value: components["schemas"]["Json"];
                    } | {
                        from: string;
                    };
                    correlation: {
                        value: components["schemas"]["Json"];
                    } | {
                        from: string;
                    };
                    /**
                     * @default {
                     *       "value": 1
                     *     }
                     */
                    generation?: {
                        value: components["schemas"]["Json"];
                    } | {
                        from: string;
                    };
                    payload?: {
                        value: components["schemas"]["Json"];
                    } | {
                        from: string;
                    };
                } | {
                    /** @constant */
                    kind: "message";
                    goal: {
                        value: components["schemas"]["Json"];
                    } | {
                        from: string;
                    };
                    text: {
                        value: components["schemas"]["Json"];
                    } | {
                        from: string;
                    };
                } | {
                    /** @constant */
                    kind: "answer";
                    round: {
                        value: components["schemas"]["Json"];
                    } | {
                        from: string;
                    };
                    correlation: {
                        value: components["schemas"]["Json"];
                    } | {
                        from: string;
                    };
                    generation: {
                        value: components["schemas"]["Json"];
                    } | {
                        from: string;
                    };
                    payload?: {
                        value: components["schemas"]["Json"];
                    } | {
                        from: string;
                    };
                };
                /**
                 * @default {
                 *       "rule": "skip"
                 *     }
                 */
                overlap?: {
                    /** @constant */
                    rule: "skip";
                } | {
                    /** @constant */
                    rule: "queue";
                    /** @default 60 */
                    withinMinutes?: number;
                } | {
                    /** @constant */
                    rule: "replay";
                    /** @default 20 */
                    most?: number;
                    /** @default 1440 */
                    withinMinutes?: number;
                };
                /** @default false */
                paused?: boolean;
            };
            reason?: string;
            /** @default false */
            dryRun?: boolean;
        };
        /** @description Remove a trigger; its business rounds and deliveries stay on record. */
        TriggerRemove: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "trigger.remove";
            commandId?: string;
            /** @default {} */
            expected?: {
                version?: number;
            };
            payload: {
                name: string;
            };
            reason?: string;
            /** @default false */
            dryRun?: boolean;
        };
        /** @description Fire again; what was due meanwhile is not made up for. */
        TriggerResume: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "trigger.resume";
            commandId?: string;
            /** @default {} */
            expected?: {
                version?: number;
            };
            payload: {
                name: string;
            };
            reason?: string;
            /** @default false */
            dryRun?: boolean;
        };
        TriggerView: {
            value: {
                name: string;
                /** @default  */
                title: string;
                source: {
                    /** @constant */
                    kind: "cron";
                    cron: string;
                    zone: string;
                    /**
                     * @default {
                     *       "rule": "coalesce"
                     *     }
                     */
                    missed: {
                        /** @constant */
                        rule: "skip";
                    } | {
                        /** @constant */
                        rule: "coalesce";
                    } | {
                        /** @constant */
                        rule: "replay";
                        most: number;
                    };
                } | {
                    /** @constant */
                    kind: "webhook";
                    /** @enum {string} */
                    style: "standard" | "github" | "stripe" | "slack" | "feishu";
                    secrets: string[];
                    /** @default 300 */
                    toleranceSeconds: number;
                    filter?: string;
                } | {
                    /** @constant */
                    kind: "api";
                };
                does: {
                    /** @constant */
                    kind: "goal";
                    template: string;
                    /** @default {} */
                    parameters: {
                        [key: string]: {
                            value: components["schemas"]["Json"];
                        } | {
                            from: string;
                        };
                    };
                    /** @enum {string} */
                    ends: "goal" | "command";
                } | {
                    /** @constant */
                    kind: "signal";
                    goal: {
                        value: components["schemas"]["Json"];
                    } | {
                        from: string;
                    };
                    correlation: {
                        value: components["schemas"]["Json"];
                    } | {
                        from: string;
                    };
                    /**
                     * @default {
                     *       "value": 1
                     *     }
                     */
                    generation: {
                        value: components["schemas"]["Json"];
                    } | {
                        from: string;
                    };
                    payload?: {
                        value: components["schemas"]["Json"];
                    } | {
                        from: string;
                    };
                } | {
                    /** @constant */
                    kind: "message";
                    goal: {
                        value: components["schemas"]["Json"];
                    } | {
                        from: string;
                    };
                    text: {
                        value: components["schemas"]["Json"];
                    } | {
                        from: string;
                    };
                } | {
                    /** @constant */
                    kind: "answer";
                    round: {
                        value: components["schemas"]["Json"];
                    } | {
                        from: string;
                    };
                    correlation: {
                        value: components["schemas"]["Json"];
                    } | {
                        from: string;
                    };
                    generation: {
                        value: components["schemas"]["Json"];
                    } | {
                        from: string;
                    };
                    payload?: {
                        value: components["schemas"]["Json"];
                    } | {
                        from: string;
                    };
                };
                /**
                 * @default {
                 *       "rule": "skip"
                 *     }
                 */
                overlap: {
                    /** @constant */
                    rule: "skip";
                } | {
                    /** @constant */
                    rule: "queue";
                    /** @default 60 */
                    withinMinutes: number;
                } | {
                    /** @constant */
                    rule: "replay";
                    /** @default 20 */
                    most: number;
                    /** @default 1440 */
                    withinMinutes: number;
                };
                /** @default false */
                paused: boolean;
                id: string;
                hook: string | null;
            };
            version: number;
            at: number | null;
            by: string | null;
            next: number[];
            unfinished: components["schemas"]["BusinessRound"] | null;
            owed: number;
            last: components["schemas"]["BusinessRound"][];
            refused: {
                count: number;
                at: number | null;
                code: string | null;
            };
        };
        UpdateUserBody: {
            name: string;
        };
        Usage: {
            currency: string;
            period: {
                used: {
                    tokens: number;
                    micros: number;
                };
                reserved: {
                    tokens: number;
                    micros: number;
                };
                allowed: {
                    tokens: number | null;
                    micros: number | null;
                };
                /** @enum {string} */
                of: "day" | "month";
                endsInMs: number;
            } | null;
            total: {
                used: {
                    tokens: number;
                    micros: number;
                };
                reserved: {
                    tokens: number;
                    micros: number;
                };
                allowed: {
                    tokens: number | null;
                    micros: number | null;
                };
            };
            parallelRounds: {
                running: number;
                limit: number;
            };
            days: {
                day: string;
                currency: string;
                tokens: number;
                micros: number;
                rounds: number;
            }[];
            goals: {
                goal: string;
                currency: string;
                tokens: number;
                micros: number;
                rounds: number;
            }[];
            quotas: {
                openGoals: {
                    used: number;
                    allowed: number;
                };
                storageBytes: {
                    used: number;
                    allowed: number;
                };
                override: {
                    openGoals?: number | null;
                    storageBytes?: number | null;
                };
            };
        };
        /** @description What a call used; corrects what was charged where nobody had said. Without `call`: what a round used beside its calls. */
        UsageRecord: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "usage.record";
            commandId?: string;
            /** @default {} */
            expected?: components["schemas"]["Expected"];
            payload: {
                tokens: number;
                /** @default 0 */
                money?: number;
                cacheRead?: number;
                cacheWrite?: number;
                call?: string;
                detail?: components["schemas"]["Json"];
            };
            reason?: string;
            /** @default false */
            dryRun?: boolean;
        };
        /** @description Release the wait of that correlation and generation. */
        WaitSignal: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "wait.signal";
            commandId?: string;
            /** @default {} */
            expected?: components["schemas"]["Expected"];
            payload: {
                correlation: string;
                generation: number;
                payload?: components["schemas"]["Json"];
            };
            reason?: string;
            /** @default false */
            dryRun?: boolean;
        };
        /** @description Set an endpoint that is told what happens, whole; one that was disabled is live again. */
        WebhookPut: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "webhook.put";
            commandId?: string;
            /** @default {} */
            expected?: {
                version?: number;
            };
            payload: {
                name: string;
                url: string;
                secrets: string[];
                events?: ("goal.completed" | "goal.cancelled" | "goal.stopped" | "item.accepted" | "item.returned" | "trigger.fired" | "blocker.raised" | "approval.asked" | "review.wanted" | "budget.stopped" | "person.needed" | "endpoint.disabled")[];
                goals?: string[];
            };
            reason?: string;
            /** @default false */
            dryRun?: boolean;
        };
        /** @description Remove an endpoint; nothing more is sent to it. */
        WebhookRemove: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "webhook.remove";
            commandId?: string;
            /** @default {} */
            expected?: {
                version?: number;
            };
            payload: {
                name: string;
            };
            reason?: string;
            /** @default false */
            dryRun?: boolean;
        };
        Why: {
            /** @constant */
            kind: "terminal";
            /** @enum {string} */
            status: "completed" | "cancelled";
        } | {
            /** @constant */
            kind: "draft";
        } | {
            /** @constant */
            kind: "paused";
        } | {
            /** @constant */
            kind: "budget";
            limit: string;
            used: number;
            of: number;
            /** @enum {string} */
            scope?: "goal" | "item" | "subagent" | "workspace";
            item?: string;
            reserved?: number;
            needed?: number;
            remains: {
                items: {
                    count: number;
                    head: string[];
                };
                criteria: {
                    count: number;
                    head: string[];
                };
            };
        } | {
            /** @constant */
            kind: "deadline";
            at: number;
        } | {
            /** @constant */
            kind: "running";
            rounds: {
                id: string;
                /** @enum {string} */
                lane: "coordinator" | "worker" | "reviewer";
                item?: string;
            }[];
        } | {
            /** @constant */
            kind: "ready";
            rounds: {
                id: string;
                /** @enum {string} */
                lane: "coordinator" | "worker" | "reviewer";
                item?: string;
            }[];
        } | {
            /** @constant */
            kind: "queued";
            /** @enum {string} */
            by: "places" | "reserved" | "budget" | "connection";
            /** @enum {string} */
            limit?: "tokens" | "money";
            spent?: {
                /** @enum {string} */
                window: "day" | "month" | "total";
                used: number;
                reserved: number;
                of: number;
            };
            connection?: {
                setting: string;
                code: string;
                detail: string;
                person: boolean;
            };
            needed?: number;
            rounds: {
                id: string;
                /** @enum {string} */
                lane: "coordinator" | "worker" | "reviewer";
                item?: string;
            }[];
            remains?: {
                items: {
                    count: number;
                    head: string[];
                };
                criteria: {
                    count: number;
                    head: string[];
                };
            };
        } | {
            /** @constant */
            kind: "checking";
            checks: string[];
        } | {
            /** @constant */
            kind: "waiting";
            kinds: ("input" | "approval" | "review" | "timer" | "external" | "subagent" | "reconcile")[];
        } | {
            /** @constant */
            kind: "blocked";
            blockers: string[];
        } | {
            /** @constant */
            kind: "no_progress";
            items: string[];
        } | {
            /** @constant */
            kind: "suspended";
            detail: components["schemas"]["Json"];
        };
        /** @description Assign an item and open a pending Attempt. */
        WorkAssign: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "work.assign";
            commandId?: string;
            /** @default {} */
            expected?: components["schemas"]["Expected"];
            payload: {
                item: string;
                executor?: components["schemas"]["ExecutorInput"];
            };
            reason?: string;
            /** @default false */
            dryRun?: boolean;
        };
        /** @description Stop an item on a question; ends the round. */
        WorkBlock: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "work.block";
            commandId?: string;
            /** @default {} */
            expected?: components["schemas"]["Expected"];
            payload: {
                item: string;
                key: string;
                reason: string;
                form: components["schemas"]["Json"];
                recommended?: components["schemas"]["Json"];
                owner?: string;
                fact?: string;
                /** @enum {string} */
                about?: "work" | "secret" | "approval" | "money" | "identity" | "acceptance" | "scope";
            };
            reason?: string;
            /** @default false */
            dryRun?: boolean;
        };
        /** @description Cancel an item. */
        WorkCancel: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "work.cancel";
            commandId?: string;
            /** @default {} */
            expected?: components["schemas"]["Expected"];
            payload: {
                item: string;
            };
            reason?: string;
            /** @default false */
            dryRun?: boolean;
        };
        /** @description Claim a ready item for oneself. */
        WorkClaim: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "work.claim";
            commandId?: string;
            /** @default {} */
            expected?: components["schemas"]["Expected"];
            payload: {
                item: string;
            };
            reason?: string;
            /** @default false */
            dryRun?: boolean;
        };
        /** @description Give an item back. */
        WorkRelease: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "work.release";
            commandId?: string;
            /** @default {} */
            expected?: components["schemas"]["Expected"];
            payload: {
                item: string;
            };
            reason?: string;
            /** @default false */
            dryRun?: boolean;
        };
        /** @description Lift a stored stop of an item. */
        WorkResume: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "work.resume";
            commandId?: string;
            /** @default {} */
            expected?: components["schemas"]["Expected"];
            payload: {
                item: string;
            };
            reason?: string;
            /** @default false */
            dryRun?: boolean;
        };
        /** @description A person takes an item over. */
        WorkTakeOver: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "work.takeOver";
            commandId?: string;
            /** @default {} */
            expected?: components["schemas"]["Expected"];
            payload: {
                item: string;
            };
            reason?: string;
            /** @default false */
            dryRun?: boolean;
        };
        /** @description Erase the workspace with everything in it, for good; an owner alone. Its name is repeated. */
        WorkspaceErase: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "workspace.erase";
            commandId?: string;
            payload: {
                name: string;
            };
            reason?: string;
            /** @default false */
            dryRun?: boolean;
        };
    };
    responses: {
        /** @description `unauthenticated`: No valid credential was given. `signature_invalid`: The delivery is not signed as its trigger expects; the header and what is wrong with it are named. */
        Refused401: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 401;
                    /** @enum {unknown} */
                    code?: "unauthenticated" | "signature_invalid";
                };
            };
        };
        /** @description `forbidden`: This principal may not give this command. `scope_missing`: The credential lacks the scope that the answer names. `self_review`: Who submitted may not judge that submission. `non_goal_forbidden`: A non-goal of the contract forbids this call. `policy_denied`: A policy denies this call. `address_refused`: The outgoing guard refuses this address, or what it answers; the place and the reason are named. `link_not_yours`: The link is for somebody else than who is signed in. */
        Refused403: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 403;
                    /** @enum {unknown} */
                    code?: "forbidden" | "scope_missing" | "self_review" | "non_goal_forbidden" | "policy_denied" | "address_refused" | "link_not_yours";
                };
            };
        };
        /** @description `not_found`: Nothing of that id exists here, or you may not know of it. `link_unknown`: The link is altered, was taken back, or leads nowhere here. */
        Refused404: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 404;
                    /** @enum {unknown} */
                    code?: "not_found" | "link_unknown";
                };
            };
        };
        /** @description `fence_stale`: A newer fence was given out for this target; you no longer hold it. `lease_lost`: The lease ran out before this call. `round_superseded`: This round or attempt has ended; what comes late is recorded and changes nothing. `goal_paused`: The goal is paused. `goal_not_active`: The goal is not active. `invalid_transition`: That change does not exist from the current state. `dependency_not_accepted`: A hard dependency has no live acceptance. `output_taken`: An exclusive output is held by another item. `submission_superseded`: A newer submission stands. `digest_mismatch`: The digest is not that of what stands on record. `criterion_unproven`: Not every criterion of the current version is proven. `graph_open`: Required work is not accepted, or something is still open. `effect_unknown`: The outcome of an effect is unknown. `needs_rework`: The gate did not pass; missing ids are named. `approval_required`: A person must approve this call first. `approval_mismatch`: The approval is for another call. `budget_exceeded`: A budget is spent. `quota_exceeded`: A quota of the workspace is full: its open goals, or the bytes of its files. What is used and allowed is named; nothing was made. `already_claimed`: Somebody else holds it; the answer says who and until when. `command_reused`: The same command id came before with another body. `record_newer`: This installation holds a newer or another record of that goal; it is never overwritten. `template_unconfirmed`: What starts goals by itself needs a version of the template that a person confirmed. `delivery_reused`: This delivery id came before with another body. `setting_missing`: A setting of the workspace that this needs is not there. `setting_in_use`: Another setting refers to this one. */
        Refused409: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 409;
                    /** @enum {unknown} */
                    code?: "fence_stale" | "lease_lost" | "round_superseded" | "goal_paused" | "goal_not_active" | "invalid_transition" | "dependency_not_accepted" | "output_taken" | "submission_superseded" | "digest_mismatch" | "criterion_unproven" | "graph_open" | "effect_unknown" | "needs_rework" | "approval_required" | "approval_mismatch" | "budget_exceeded" | "quota_exceeded" | "already_claimed" | "command_reused" | "record_newer" | "template_unconfirmed" | "delivery_reused" | "setting_missing" | "setting_in_use";
                };
            };
        };
        /** @description `link_ended`: The link has run out. `link_used`: The link was used before; it opens its decision once. `link_gone`: What the link was for is decided or asked for no more. `goal_erased`: The goal was erased for good. `workspace_erased`: The workspace was erased for good. */
        Refused410: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 410;
                    /** @enum {unknown} */
                    code?: "link_ended" | "link_used" | "link_gone" | "goal_erased" | "workspace_erased";
                };
            };
        };
        /** @description `goal_version_stale`: The goal was revised since you read it. `plan_revision_stale`: Another plan revision is active. `item_version_stale`: The work item changed since you read it. `setting_stale`: The setting changed since you read it. */
        Refused412: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 412;
                    /** @enum {unknown} */
                    code?: "goal_version_stale" | "plan_revision_stale" | "item_version_stale" | "setting_stale";
                };
            };
        };
        /** @description `plan_invalid`: The plan document has errors; all of them are listed. `evidence_missing`: Evidence that was named does not exist or is not live. `evidence_foreign`: Evidence belongs to another attempt and to no accepted input. `fact_required`: This parameter takes a fact reference, not a literal. `fact_unknown`: No fact stands under that key. `limit_exceeded`: A limit on size or number is exceeded. `schema_invalid`: The body does not fit the schema. `malformed_data`: A file is cut off, not in the encoding it must have, or not of its format. `archive_invalid`: The archive is cut off, altered, or of a kind that is not known here. `template_invalid`: The template has errors, as it stands or with sample values in it; all of them are listed. */
        Refused422: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 422;
                    /** @enum {unknown} */
                    code?: "plan_invalid" | "evidence_missing" | "evidence_foreign" | "fact_required" | "fact_unknown" | "limit_exceeded" | "schema_invalid" | "malformed_data" | "archive_invalid" | "template_invalid";
                };
            };
        };
        /** @description `version_required`: This command needs the version it was decided on. */
        Refused428: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 428;
                    /** @enum {unknown} */
                    code?: "version_required";
                };
            };
        };
        /** @description `rate_limited`: Too many requests. */
        Refused429: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 429;
                    /** @enum {unknown} */
                    code?: "rate_limited";
                };
            };
        };
        /** @description `sealing_unavailable`: Secrets can be neither sealed nor opened: the installation has no fitting master key. `not_configured`: The installation lacks settings without which it answers nobody. `unavailable`: A part that is needed does not answer. */
        Refused503: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 503;
                    /** @enum {unknown} */
                    code?: "sealing_unavailable" | "not_configured" | "unavailable";
                };
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: {
        /** @description Requests left in the window, and seconds until it begins anew. */
        RateLimit: string;
        /** @description Requests a window, and its seconds. */
        "RateLimit-Policy": string;
        /** @description Seconds. */
        "Retry-After": number;
        /** @description Finds the request in the log. */
        "X-Request-Id": string;
        /** @description For `If-Match` of a command. Of a file its digest. */
        ETag: string;
        /** @description Where it is. */
        Location: string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    isUp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IsUpAnswer"];
                };
            };
            503: components["responses"]["Refused503"];
        };
    };
    getContract: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetContractAnswer"];
                };
            };
            503: components["responses"]["Refused503"];
        };
    };
    authWays: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthAnswer"];
                };
            };
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            503: components["responses"]["Refused503"];
            /** @description Refused, in the form of the sign-in: `{code, message}` */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthAnswer"];
                };
            };
        };
    };
    signUp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SignUpBody"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthAnswer"];
                };
            };
            403: components["responses"]["Refused403"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            503: components["responses"]["Refused503"];
            /** @description Refused, in the form of the sign-in: `{code, message}` */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthAnswer"];
                };
            };
        };
    };
    signIn: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SignInBody"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthAnswer"];
                };
            };
            403: components["responses"]["Refused403"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            503: components["responses"]["Refused503"];
            /** @description Refused, in the form of the sign-in: `{code, message}` */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthAnswer"];
                };
            };
        };
    };
    signInElsewhere: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SignInElsewhereBody"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthAnswer"];
                };
            };
            403: components["responses"]["Refused403"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            503: components["responses"]["Refused503"];
            /** @description Refused, in the form of the sign-in: `{code, message}` */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthAnswer"];
                };
            };
        };
    };
    signedInElsewhere: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                provider: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthAnswer"];
                };
            };
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            503: components["responses"]["Refused503"];
            /** @description Refused, in the form of the sign-in: `{code, message}` */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthAnswer"];
                };
            };
        };
    };
    signingInFailed: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthAnswer"];
                };
            };
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            503: components["responses"]["Refused503"];
            /** @description Refused, in the form of the sign-in: `{code, message}` */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthAnswer"];
                };
            };
        };
    };
    signOut: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthAnswer"];
                };
            };
            403: components["responses"]["Refused403"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            503: components["responses"]["Refused503"];
            /** @description Refused, in the form of the sign-in: `{code, message}` */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthAnswer"];
                };
            };
        };
    };
    getSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthAnswer"];
                };
            };
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            503: components["responses"]["Refused503"];
            /** @description Refused, in the form of the sign-in: `{code, message}` */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthAnswer"];
                };
            };
        };
    };
    listSessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthAnswer"];
                };
            };
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            503: components["responses"]["Refused503"];
            /** @description Refused, in the form of the sign-in: `{code, message}` */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthAnswer"];
                };
            };
        };
    };
    revokeSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RevokeSessionBody"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthAnswer"];
                };
            };
            403: components["responses"]["Refused403"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            503: components["responses"]["Refused503"];
            /** @description Refused, in the form of the sign-in: `{code, message}` */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthAnswer"];
                };
            };
        };
    };
    revokeOtherSessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthAnswer"];
                };
            };
            403: components["responses"]["Refused403"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            503: components["responses"]["Refused503"];
            /** @description Refused, in the form of the sign-in: `{code, message}` */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthAnswer"];
                };
            };
        };
    };
    revokeSessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthAnswer"];
                };
            };
            403: components["responses"]["Refused403"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            503: components["responses"]["Refused503"];
            /** @description Refused, in the form of the sign-in: `{code, message}` */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthAnswer"];
                };
            };
        };
    };
    sendVerificationEmail: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SendVerificationEmailBody"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthAnswer"];
                };
            };
            403: components["responses"]["Refused403"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            503: components["responses"]["Refused503"];
            /** @description Refused, in the form of the sign-in: `{code, message}` */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthAnswer"];
                };
            };
        };
    };
    verifyEmail: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthAnswer"];
                };
            };
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            503: components["responses"]["Refused503"];
            /** @description Refused, in the form of the sign-in: `{code, message}` */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthAnswer"];
                };
            };
        };
    };
    requestPasswordReset: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RequestPasswordResetBody"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthAnswer"];
                };
            };
            403: components["responses"]["Refused403"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            503: components["responses"]["Refused503"];
            /** @description Refused, in the form of the sign-in: `{code, message}` */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthAnswer"];
                };
            };
        };
    };
    openPasswordReset: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthAnswer"];
                };
            };
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            503: components["responses"]["Refused503"];
            /** @description Refused, in the form of the sign-in: `{code, message}` */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthAnswer"];
                };
            };
        };
    };
    resetPassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ResetPasswordBody"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthAnswer"];
                };
            };
            403: components["responses"]["Refused403"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            503: components["responses"]["Refused503"];
            /** @description Refused, in the form of the sign-in: `{code, message}` */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthAnswer"];
                };
            };
        };
    };
    changePassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangePasswordBody"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthAnswer"];
                };
            };
            403: components["responses"]["Refused403"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            503: components["responses"]["Refused503"];
            /** @description Refused, in the form of the sign-in: `{code, message}` */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthAnswer"];
                };
            };
        };
    };
    updateUser: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateUserBody"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthAnswer"];
                };
            };
            403: components["responses"]["Refused403"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            503: components["responses"]["Refused503"];
            /** @description Refused, in the form of the sign-in: `{code, message}` */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthAnswer"];
                };
            };
        };
    };
    authPasskeyAddOptions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AuthPasskeyAddOptionsBody"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthAnswer"];
                };
            };
            403: components["responses"]["Refused403"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            503: components["responses"]["Refused503"];
            /** @description Refused, in the form of the sign-in: `{code, message}` */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthAnswer"];
                };
            };
        };
    };
    authPasskeyAdd: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AuthPasskeyAddOptionsBody"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthAnswer"];
                };
            };
            403: components["responses"]["Refused403"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            503: components["responses"]["Refused503"];
            /** @description Refused, in the form of the sign-in: `{code, message}` */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthAnswer"];
                };
            };
        };
    };
    authPasskeyList: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthAnswer"];
                };
            };
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            503: components["responses"]["Refused503"];
            /** @description Refused, in the form of the sign-in: `{code, message}` */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthAnswer"];
                };
            };
        };
    };
    authPasskeyRemove: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AuthPasskeyAddOptionsBody"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthAnswer"];
                };
            };
            403: components["responses"]["Refused403"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            503: components["responses"]["Refused503"];
            /** @description Refused, in the form of the sign-in: `{code, message}` */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthAnswer"];
                };
            };
        };
    };
    authPasskeySignInOptions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AuthPasskeyAddOptionsBody"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthAnswer"];
                };
            };
            403: components["responses"]["Refused403"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            503: components["responses"]["Refused503"];
            /** @description Refused, in the form of the sign-in: `{code, message}` */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthAnswer"];
                };
            };
        };
    };
    authPasskeySignIn: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AuthPasskeyAddOptionsBody"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthAnswer"];
                };
            };
            403: components["responses"]["Refused403"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            503: components["responses"]["Refused503"];
            /** @description Refused, in the form of the sign-in: `{code, message}` */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthAnswer"];
                };
            };
        };
    };
    getAgentCard: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetAgentCardAnswer"];
                };
            };
            503: components["responses"]["Refused503"];
        };
    };
    askAgent: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AskAgentBody"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AskAgentAnswer"];
                    "text/event-stream": components["schemas"]["AskAgentAnswer"];
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            503: components["responses"]["Refused503"];
        };
    };
    getMe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "principal": "token:7f3k",
                     *       "kind": "token",
                     *       "operator": false,
                     *       "workspaces": [
                     *         {
                     *           "id": "acme",
                     *           "name": "Acme",
                     *           "role": null,
                     *           "scopes": [
                     *             "goals:read",
                     *             "goals:write"
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Caller"];
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            429: components["responses"]["Refused429"];
            503: components["responses"]["Refused503"];
        };
    };
    noStream: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            /** @description Done */
            405: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
            429: components["responses"]["Refused429"];
            503: components["responses"]["Refused503"];
        };
    };
    callTool: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CallToolBody"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
            /** @description Done */
            202: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            503: components["responses"]["Refused503"];
            /** @description Refused, in the form of the sign-in: `{code, message}` */
            "4XX": {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
        };
    };
    createWorkspace: {
        parameters: {
            query?: never;
            header?: {
                /** @description The command id, where the body holds none. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateWorkspaceBody"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Made"];
                };
            };
            /** @description Made */
            201: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Made"];
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            409: components["responses"]["Refused409"];
            410: components["responses"]["Refused410"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            503: components["responses"]["Refused503"];
        };
    };
    eraseMe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EraseMeBody"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EraseMeAnswer"];
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            409: components["responses"]["Refused409"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            503: components["responses"]["Refused503"];
        };
    };
    listErasures: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListErasuresAnswer"];
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            503: components["responses"]["Refused503"];
        };
    };
    getErasure: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                erasure: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Erasure"];
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            503: components["responses"]["Refused503"];
        };
    };
    erasePerson: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                person: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EraseMeBody"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EraseMeAnswer"];
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            409: components["responses"]["Refused409"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            503: components["responses"]["Refused503"];
        };
    };
    acceptInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AcceptInvitationBody"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Made"];
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            409: components["responses"]["Refused409"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            503: components["responses"]["Refused503"];
        };
    };
    givePeopleCommand: {
        parameters: {
            query?: never;
            header?: {
                /** @description The command id, where the body holds none. */
                "Idempotency-Key"?: string;
            };
            path: {
                workspace: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "type": "token.issue",
                 *       "commandId": "token-1",
                 *       "payload": {
                 *         "name": "ci",
                 *         "scopes": [
                 *           "goals:read",
                 *           "work:submit"
                 *         ],
                 *         "expiresInDays": 30
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["MemberInvite"] | components["schemas"]["InvitationRevoke"] | components["schemas"]["MemberSetRole"] | components["schemas"]["MemberRemove"] | components["schemas"]["MemberSetMail"] | components["schemas"]["MemberLeave"] | components["schemas"]["TokenIssue"] | components["schemas"]["TokenRevoke"] | components["schemas"]["WorkspaceErase"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PeopleApplied"];
                };
            };
            /** @description Made */
            201: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PeopleApplied"];
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            409: components["responses"]["Refused409"];
            410: components["responses"]["Refused410"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            503: components["responses"]["Refused503"];
        };
    };
    listMembers: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListMembersAnswer"];
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            410: components["responses"]["Refused410"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            503: components["responses"]["Refused503"];
        };
    };
    listNames: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListNamesAnswer"];
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            410: components["responses"]["Refused410"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            503: components["responses"]["Refused503"];
        };
    };
    listInvitations: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListInvitationsAnswer"];
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            410: components["responses"]["Refused410"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            503: components["responses"]["Refused503"];
        };
    };
    listTokens: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListTokensAnswer"];
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            410: components["responses"]["Refused410"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            503: components["responses"]["Refused503"];
        };
    };
    listPeopleLog: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path: {
                workspace: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListPeopleLogAnswer"];
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            410: components["responses"]["Refused410"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            503: components["responses"]["Refused503"];
        };
    };
    getCounters: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetCountersAnswer"];
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            429: components["responses"]["Refused429"];
            503: components["responses"]["Refused503"];
        };
    };
    setQuotas: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetQuotasBody"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SetQuotasAnswer"];
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            503: components["responses"]["Refused503"];
        };
    };
    giveWorkspaceCommand: {
        parameters: {
            query?: never;
            header?: {
                /** @description The command id, where the body holds none. */
                "Idempotency-Key"?: string;
            };
            path: {
                workspace: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "type": "secret.put",
                 *       "commandId": "secret-1",
                 *       "payload": {
                 *         "name": "main-key",
                 *         "value": "the value, which no answer holds"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["ProviderPut"] | components["schemas"]["ProviderRemove"] | components["schemas"]["ProfilePut"] | components["schemas"]["ProfileRemove"] | components["schemas"]["SecretPut"] | components["schemas"]["SecretRemove"] | components["schemas"]["OutgoingSet"] | components["schemas"]["McpPut"] | components["schemas"]["McpRemove"] | components["schemas"]["WebhookPut"] | components["schemas"]["WebhookRemove"] | components["schemas"]["ChatPut"] | components["schemas"]["ChatRemove"] | components["schemas"]["ProgressPut"] | components["schemas"]["ProgressRemove"] | components["schemas"]["PolicySet"] | components["schemas"]["TemplatePut"] | components["schemas"]["TemplateConfirm"] | components["schemas"]["TemplateRetire"] | components["schemas"]["TriggerPut"] | components["schemas"]["TriggerPause"] | components["schemas"]["TriggerResume"] | components["schemas"]["TriggerRemove"] | components["schemas"]["TriggerFire"] | components["schemas"]["DeliveryReplay"] | components["schemas"]["BusinessRoundWait"] | components["schemas"]["BusinessRoundAnswer"] | components["schemas"]["BusinessRoundComplete"] | components["schemas"]["BudgetSet"] | components["schemas"]["BudgetRaise"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SettingApplied"];
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            409: components["responses"]["Refused409"];
            410: components["responses"]["Refused410"];
            412: components["responses"]["Refused412"];
            422: components["responses"]["Refused422"];
            428: components["responses"]["Refused428"];
            429: components["responses"]["Refused429"];
            503: components["responses"]["Refused503"];
        };
    };
    getSettings: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Settings"];
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            410: components["responses"]["Refused410"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            503: components["responses"]["Refused503"];
        };
    };
    listSecrets: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Secrets"];
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            410: components["responses"]["Refused410"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            503: components["responses"]["Refused503"];
        };
    };
    listWebhookDeliveries: {
        parameters: {
            query?: {
                endpoint?: string;
                cursor?: number;
                limit?: number;
            };
            header?: never;
            path: {
                workspace: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListWebhookDeliveriesAnswer"];
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            410: components["responses"]["Refused410"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            503: components["responses"]["Refused503"];
        };
    };
    replayWebhookDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace: string;
                seq: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReplayWebhookDeliveryAnswer"];
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            409: components["responses"]["Refused409"];
            410: components["responses"]["Refused410"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            503: components["responses"]["Refused503"];
        };
    };
    listAudit: {
        parameters: {
            query?: {
                cursor?: number;
                limit?: number;
                by?: string;
                type?: string;
                from?: number;
                to?: number;
            };
            header?: never;
            path: {
                workspace: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListAuditAnswer"];
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            410: components["responses"]["Refused410"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            503: components["responses"]["Refused503"];
        };
    };
    exportWorkspace: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/x-tar": string;
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            410: components["responses"]["Refused410"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            503: components["responses"]["Refused503"];
        };
    };
    verifyAudit: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditVerified"];
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            410: components["responses"]["Refused410"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            503: components["responses"]["Refused503"];
        };
    };
    exportAudit: {
        parameters: {
            query?: {
                format?: "ndjson" | "csv";
                by?: string;
                type?: string;
                from?: number;
                to?: number;
            };
            header?: never;
            path: {
                workspace: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": string;
                    "text/csv": string;
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            410: components["responses"]["Refused410"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            503: components["responses"]["Refused503"];
        };
    };
    getUsage: {
        parameters: {
            query?: {
                days?: number;
            };
            header?: never;
            path: {
                workspace: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Usage"];
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            410: components["responses"]["Refused410"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            503: components["responses"]["Refused503"];
        };
    };
    listTemplates: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListTemplatesAnswer"];
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            410: components["responses"]["Refused410"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            503: components["responses"]["Refused503"];
        };
    };
    getTemplate: {
        parameters: {
            query?: {
                version?: number;
            };
            header?: never;
            path: {
                workspace: string;
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TemplateView"];
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            410: components["responses"]["Refused410"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            503: components["responses"]["Refused503"];
        };
    };
    getTemplateFigures: {
        parameters: {
            query?: {
                version?: number;
            };
            header?: never;
            path: {
                workspace: string;
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TemplateFigures"];
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            410: components["responses"]["Refused410"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            503: components["responses"]["Refused503"];
        };
    };
    createGoalFromTemplate: {
        parameters: {
            query?: never;
            header?: {
                /** @description The command id, where the body holds none. */
                "Idempotency-Key"?: string;
            };
            path: {
                workspace: string;
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateGoalFromTemplateBody"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateGoalFromTemplateAnswer"];
                };
            };
            /** @description Made */
            201: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateGoalFromTemplateAnswer"];
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            409: components["responses"]["Refused409"];
            410: components["responses"]["Refused410"];
            412: components["responses"]["Refused412"];
            422: components["responses"]["Refused422"];
            428: components["responses"]["Refused428"];
            429: components["responses"]["Refused429"];
            503: components["responses"]["Refused503"];
        };
    };
    listTriggers: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListTriggersAnswer"];
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            410: components["responses"]["Refused410"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            503: components["responses"]["Refused503"];
        };
    };
    getTrigger: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace: string;
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TriggerView"];
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            410: components["responses"]["Refused410"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            503: components["responses"]["Refused503"];
        };
    };
    listBusinessRounds: {
        parameters: {
            query?: {
                cursor?: number;
                limit?: number;
            };
            header?: never;
            path: {
                workspace: string;
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListBusinessRoundsAnswer"];
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            410: components["responses"]["Refused410"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            503: components["responses"]["Refused503"];
        };
    };
    getBusinessRound: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace: string;
                round: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetBusinessRoundAnswer"];
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            410: components["responses"]["Refused410"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            503: components["responses"]["Refused503"];
        };
    };
    listDeliveries: {
        parameters: {
            query?: {
                cursor?: number;
                limit?: number;
            };
            header?: never;
            path: {
                workspace: string;
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListDeliveriesAnswer"];
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            410: components["responses"]["Refused410"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            503: components["responses"]["Refused503"];
        };
    };
    testTrigger: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TestTriggerBody"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TestTriggerAnswer"];
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            410: components["responses"]["Refused410"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            503: components["responses"]["Refused503"];
        };
    };
    deliver: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace: string;
                hook: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/octet-stream": string;
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliverAnswer"];
                };
            };
            /** @description Done */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliverAnswer"];
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            409: components["responses"]["Refused409"];
            410: components["responses"]["Refused410"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            503: components["responses"]["Refused503"];
        };
    };
    listGoals: {
        parameters: {
            query?: {
                status?: "draft" | "active" | "paused" | "completed" | "cancelled";
                needsYou?: boolean;
                cursor?: string;
                limit?: number;
                after?: string[];
            };
            header?: never;
            path: {
                workspace: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListGoalsAnswer"];
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            410: components["responses"]["Refused410"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            503: components["responses"]["Refused503"];
        };
    };
    createGoal: {
        parameters: {
            query?: never;
            header?: {
                /** @description The command id, where the body holds none. */
                "Idempotency-Key"?: string;
            };
            path: {
                workspace: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "type": "goal.create",
                 *       "commandId": "create-1",
                 *       "payload": {
                 *         "mode": "goal_only",
                 *         "confirmed": true,
                 *         "contract": {
                 *           "title": "Quarterly report",
                 *           "objective": "A report on the quarter, in Markdown.",
                 *           "criteria": [
                 *             {
                 *               "id": "said",
                 *               "text": "The owner says that it is good",
                 *               "verify": "attest"
                 *             }
                 *           ]
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["GoalPropose"] | components["schemas"]["GoalCreate"] | components["schemas"]["NewGoal"] | components["schemas"]["NewGoalFromSentence"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Applied"];
                };
            };
            /** @description Made */
            201: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Applied"];
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            409: components["responses"]["Refused409"];
            410: components["responses"]["Refused410"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            503: components["responses"]["Refused503"];
        };
    };
    getGoal: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace: string;
                goal: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Goal"];
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            410: components["responses"]["Refused410"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            503: components["responses"]["Refused503"];
        };
    };
    giveCommand: {
        parameters: {
            query?: never;
            header?: {
                /** @description The command id, where the body holds none. */
                "Idempotency-Key"?: string;
                /** @description The entity tag of a read of the goal or of the item; counts where `expected` does not say it. */
                "If-Match"?: string;
            };
            path: {
                workspace: string;
                goal: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "type": "blocker.resolve",
                 *       "commandId": "answer-1",
                 *       "payload": {
                 *         "blocker": "spreadsheet_program",
                 *         "answer": {
                 *           "program": "excel-zh"
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["GoalDraft"] | components["schemas"]["GoalConfirm"] | components["schemas"]["GoalRevise"] | components["schemas"]["GoalAmend"] | components["schemas"]["AmendmentDecide"] | components["schemas"]["GoalPause"] | components["schemas"]["GoalResume"] | components["schemas"]["GoalSetLimits"] | components["schemas"]["GoalBlock"] | components["schemas"]["GoalCancel"] | components["schemas"]["GoalAudit"] | components["schemas"]["GoalComplete"] | components["schemas"]["CriterionAttest"] | components["schemas"]["ExecutionOpen"] | components["schemas"]["ExecutionPromote"] | components["schemas"]["ExecutionComplete"] | components["schemas"]["ExecutionAbandon"] | components["schemas"]["PlanPropose"] | components["schemas"]["PlanAdopt"] | components["schemas"]["PlanReject"] | components["schemas"]["WorkAssign"] | components["schemas"]["WorkClaim"] | components["schemas"]["WorkRelease"] | components["schemas"]["WorkTakeOver"] | components["schemas"]["WorkBlock"] | components["schemas"]["WorkResume"] | components["schemas"]["WorkCancel"] | components["schemas"]["AttemptStart"] | components["schemas"]["AttemptHeartbeat"] | components["schemas"]["AttemptEnd"] | components["schemas"]["ArtifactPut"] | components["schemas"]["SubmissionSubmit"] | components["schemas"]["ReviewRecord"] | components["schemas"]["AcceptanceInvalidate"] | components["schemas"]["BlockerResolve"] | components["schemas"]["BlockerPass"] | components["schemas"]["BlockerWithdraw"] | components["schemas"]["FactRecord"] | components["schemas"]["MilestoneDefine"] | components["schemas"]["LedgerRecord"] | components["schemas"]["ReviewListAdd"] | components["schemas"]["ReviewListResolve"] | components["schemas"]["EvidenceInvalidate"] | components["schemas"]["TasksSet"] | components["schemas"]["EffectPlan"] | components["schemas"]["EffectSettle"] | components["schemas"]["EffectReconcile"] | components["schemas"]["EffectProbe"] | components["schemas"]["ApprovalRequest"] | components["schemas"]["ApprovalDecide"] | components["schemas"]["WaitSignal"] | components["schemas"]["SubagentSpawn"] | components["schemas"]["SubagentReturn"] | components["schemas"]["SubagentCancel"] | components["schemas"]["RoundSchedule"] | components["schemas"]["RoundGrant"] | components["schemas"]["RoundSettle"] | components["schemas"]["RoundClaim"] | components["schemas"]["RoundStart"] | components["schemas"]["RoundPin"] | components["schemas"]["ContextRecord"] | components["schemas"]["RoundStep"] | components["schemas"]["RoundEnd"] | components["schemas"]["MessagePost"] | components["schemas"]["MessageHandle"] | components["schemas"]["NoteRevise"] | components["schemas"]["NoteAppend"] | components["schemas"]["CheckRequest"] | components["schemas"]["CheckRecord"] | components["schemas"]["UsageRecord"] | components["schemas"]["ClockTick"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Applied"];
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            409: components["responses"]["Refused409"];
            410: components["responses"]["Refused410"];
            412: components["responses"]["Refused412"];
            422: components["responses"]["Refused422"];
            428: components["responses"]["Refused428"];
            429: components["responses"]["Refused429"];
            503: components["responses"]["Refused503"];
        };
    };
    confirmGoal: {
        parameters: {
            query?: never;
            header?: {
                /** @description The command id, where the body holds none. */
                "Idempotency-Key"?: string;
                /** @description The entity tag of a read of the goal or of the item; counts where `expected` does not say it. */
                "If-Match"?: string;
            };
            path: {
                workspace: string;
                goal: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ConfirmGoalBody"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Applied"];
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            409: components["responses"]["Refused409"];
            410: components["responses"]["Refused410"];
            412: components["responses"]["Refused412"];
            422: components["responses"]["Refused422"];
            428: components["responses"]["Refused428"];
            429: components["responses"]["Refused429"];
            503: components["responses"]["Refused503"];
        };
    };
    pauseGoal: {
        parameters: {
            query?: never;
            header?: {
                /** @description The command id, where the body holds none. */
                "Idempotency-Key"?: string;
                /** @description The entity tag of a read of the goal or of the item; counts where `expected` does not say it. */
                "If-Match"?: string;
            };
            path: {
                workspace: string;
                goal: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["PauseGoalBody"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Applied"];
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            409: components["responses"]["Refused409"];
            410: components["responses"]["Refused410"];
            412: components["responses"]["Refused412"];
            422: components["responses"]["Refused422"];
            428: components["responses"]["Refused428"];
            429: components["responses"]["Refused429"];
            503: components["responses"]["Refused503"];
        };
    };
    resumeGoal: {
        parameters: {
            query?: never;
            header?: {
                /** @description The command id, where the body holds none. */
                "Idempotency-Key"?: string;
                /** @description The entity tag of a read of the goal or of the item; counts where `expected` does not say it. */
                "If-Match"?: string;
            };
            path: {
                workspace: string;
                goal: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ResumeGoalBody"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Applied"];
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            409: components["responses"]["Refused409"];
            410: components["responses"]["Refused410"];
            412: components["responses"]["Refused412"];
            422: components["responses"]["Refused422"];
            428: components["responses"]["Refused428"];
            429: components["responses"]["Refused429"];
            503: components["responses"]["Refused503"];
        };
    };
    cancelGoal: {
        parameters: {
            query?: never;
            header?: {
                /** @description The command id, where the body holds none. */
                "Idempotency-Key"?: string;
                /** @description The entity tag of a read of the goal or of the item; counts where `expected` does not say it. */
                "If-Match"?: string;
            };
            path: {
                workspace: string;
                goal: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CancelGoalBody"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Applied"];
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            409: components["responses"]["Refused409"];
            410: components["responses"]["Refused410"];
            412: components["responses"]["Refused412"];
            422: components["responses"]["Refused422"];
            428: components["responses"]["Refused428"];
            429: components["responses"]["Refused429"];
            503: components["responses"]["Refused503"];
        };
    };
    postToGoal: {
        parameters: {
            query?: never;
            header?: {
                /** @description The command id, where the body holds none. */
                "Idempotency-Key"?: string;
            };
            path: {
                workspace: string;
                goal: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PostToGoalBody"];
            };
        };
        responses: {
            /** @description Made */
            201: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GoalPosted"];
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            409: components["responses"]["Refused409"];
            410: components["responses"]["Refused410"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            503: components["responses"]["Refused503"];
        };
    };
    getGraph: {
        parameters: {
            query?: {
                revision?: number;
            };
            header?: never;
            path: {
                workspace: string;
                goal: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GraphView"];
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            410: components["responses"]["Refused410"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            503: components["responses"]["Refused503"];
        };
    };
    importPlan: {
        parameters: {
            query?: {
                format?: "taskmaster" | "beads" | "spec_kit" | "check_list";
                tag?: string;
                propose?: boolean;
            };
            header?: {
                /** @description The command id, where the body holds none. */
                "Idempotency-Key"?: string;
            };
            path: {
                workspace: string;
                goal: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/octet-stream": string;
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportPlanAnswer"];
                };
            };
            /** @description Made */
            201: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportPlanAnswer"];
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            409: components["responses"]["Refused409"];
            410: components["responses"]["Refused410"];
            412: components["responses"]["Refused412"];
            422: components["responses"]["Refused422"];
            428: components["responses"]["Refused428"];
            429: components["responses"]["Refused429"];
            503: components["responses"]["Refused503"];
        };
    };
    getItem: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace: string;
                goal: string;
                key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ItemView"];
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            410: components["responses"]["Refused410"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            503: components["responses"]["Refused503"];
        };
    };
    getAssignment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace: string;
                goal: string;
                key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Assignment"];
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            409: components["responses"]["Refused409"];
            410: components["responses"]["Refused410"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            503: components["responses"]["Refused503"];
        };
    };
    issueAttemptToken: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace: string;
                goal: string;
                key: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["IssueAttemptTokenBody"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IssueAttemptTokenAnswer"];
                };
            };
            /** @description Made */
            201: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IssueAttemptTokenAnswer"];
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            409: components["responses"]["Refused409"];
            410: components["responses"]["Refused410"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            503: components["responses"]["Refused503"];
        };
    };
    getItemHistory: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace: string;
                goal: string;
                key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetItemHistoryAnswer"];
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            410: components["responses"]["Refused410"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            503: components["responses"]["Refused503"];
        };
    };
    listEvents: {
        parameters: {
            query?: {
                after?: number;
                limit?: number;
                wait?: number;
            };
            header?: never;
            path: {
                workspace: string;
                goal: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListEventsAnswer"];
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            410: components["responses"]["Refused410"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            503: components["responses"]["Refused503"];
        };
    };
    listRecord: {
        parameters: {
            query: {
                kind: string;
                prefix?: string;
                item?: string;
                cursor?: string;
                limit?: number;
                newestFirst?: boolean;
            };
            header?: never;
            path: {
                workspace: string;
                goal: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListRecordAnswer"];
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            410: components["responses"]["Refused410"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            503: components["responses"]["Refused503"];
        };
    };
    getNext: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace: string;
                goal: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Next"];
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            410: components["responses"]["Refused410"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            503: components["responses"]["Refused503"];
        };
    };
    getResumePacket: {
        parameters: {
            query?: {
                item?: string;
            };
            header?: never;
            path: {
                workspace: string;
                goal: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResumePacket"];
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            409: components["responses"]["Refused409"];
            410: components["responses"]["Refused410"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            503: components["responses"]["Refused503"];
        };
    };
    getDoctor: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace: string;
                goal: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Doctor"];
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            410: components["responses"]["Refused410"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            503: components["responses"]["Refused503"];
        };
    };
    getFact: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace: string;
                goal: string;
                key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Fact"];
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            409: components["responses"]["Refused409"];
            410: components["responses"]["Refused410"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            503: components["responses"]["Refused503"];
        };
    };
    draftTemplate: {
        parameters: {
            query: {
                name: string;
                against?: string;
            };
            header?: never;
            path: {
                workspace: string;
                goal: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TemplateDraft"];
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            409: components["responses"]["Refused409"];
            410: components["responses"]["Refused410"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            503: components["responses"]["Refused503"];
        };
    };
    getEvidence: {
        parameters: {
            query: {
                evidence: string;
            };
            header?: never;
            path: {
                workspace: string;
                goal: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Evidence"];
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            410: components["responses"]["Refused410"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            503: components["responses"]["Refused503"];
        };
    };
    listAskedDecisions: {
        parameters: {
            query?: {
                limit?: number;
            };
            header?: never;
            path: {
                workspace: string;
                goal: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AskedDecisions"];
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            410: components["responses"]["Refused410"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            503: components["responses"]["Refused503"];
        };
    };
    getBody: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace: string;
                goal: string;
                digest: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetBodyAnswer"];
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            410: components["responses"]["Refused410"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            503: components["responses"]["Refused503"];
        };
    };
    linkFile: {
        parameters: {
            query?: {
                as?: "download" | "view";
            };
            header?: never;
            path: {
                workspace: string;
                goal: string;
                digest: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is there */
            303: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LinkFileAnswer"];
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            410: components["responses"]["Refused410"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            503: components["responses"]["Refused503"];
        };
    };
    getLinkedFile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                link: string;
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
            404: components["responses"]["Refused404"];
            503: components["responses"]["Refused503"];
        };
    };
    getFile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace: string;
                goal: string;
                digest: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            409: components["responses"]["Refused409"];
            410: components["responses"]["Refused410"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            503: components["responses"]["Refused503"];
        };
    };
    putFile: {
        parameters: {
            query?: never;
            header?: {
                /** @description The command id, where the body holds none. */
                "Idempotency-Key"?: string;
                /** @description RFC 9530: `sha-256=:base64:`. */
                "Content-Digest"?: string;
            };
            path: {
                workspace: string;
                goal: string;
                path: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/octet-stream": string;
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Applied"];
                };
            };
            /** @description Made */
            201: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Applied"];
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            409: components["responses"]["Refused409"];
            410: components["responses"]["Refused410"];
            412: components["responses"]["Refused412"];
            422: components["responses"]["Refused422"];
            428: components["responses"]["Refused428"];
            429: components["responses"]["Refused429"];
            503: components["responses"]["Refused503"];
        };
    };
    watchGoal: {
        parameters: {
            query?: {
                after?: number;
            };
            header?: never;
            path: {
                workspace: string;
                goal: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The socket is open */
            101: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Frame"];
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            410: components["responses"]["Refused410"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            503: components["responses"]["Refused503"];
        };
    };
    streamGoal: {
        parameters: {
            query?: {
                after?: number;
            };
            header?: {
                /** @description The id of the last event that arrived: goes before `after`. Browsers send it when they come back. */
                "Last-Event-ID"?: string;
            };
            path: {
                workspace: string;
                goal: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": components["schemas"]["Frame"];
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            410: components["responses"]["Refused410"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            503: components["responses"]["Refused503"];
        };
    };
    watchGoals: {
        parameters: {
            query?: {
                after?: number;
            };
            header?: never;
            path: {
                workspace: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The socket is open */
            101: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GoalsFrame"];
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            410: components["responses"]["Refused410"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            503: components["responses"]["Refused503"];
        };
    };
    streamGoals: {
        parameters: {
            query?: {
                after?: number;
            };
            header?: {
                /** @description The id of the last event that arrived: goes before `after`. Browsers send it when they come back. */
                "Last-Event-ID"?: string;
            };
            path: {
                workspace: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": components["schemas"]["GoalsFrame"];
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            410: components["responses"]["Refused410"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            503: components["responses"]["Refused503"];
        };
    };
    exportGoal: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace: string;
                goal: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/x-tar": string;
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            410: components["responses"]["Refused410"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            503: components["responses"]["Refused503"];
        };
    };
    importGoal: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-tar": string;
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Imported"];
                };
            };
            /** @description Made */
            201: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Imported"];
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            409: components["responses"]["Refused409"];
            410: components["responses"]["Refused410"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            503: components["responses"]["Refused503"];
        };
    };
    eraseGoal: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace: string;
                goal: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EraseGoalAnswer"];
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            410: components["responses"]["Refused410"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            503: components["responses"]["Refused503"];
        };
    };
    rebuildGoal: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace: string;
                goal: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Rebuilt"];
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            410: components["responses"]["Refused410"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            503: components["responses"]["Refused503"];
        };
    };
    rebuildWorkspace: {
        parameters: {
            query?: {
                cursor?: string;
            };
            header?: never;
            path: {
                workspace: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RebuildWorkspaceAnswer"];
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            410: components["responses"]["Refused410"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            503: components["responses"]["Refused503"];
        };
    };
    compareGoal: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace: string;
                goal: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Comparison"];
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            410: components["responses"]["Refused410"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            503: components["responses"]["Refused503"];
        };
    };
    listDeadLetters: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path: {
                workspace: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListDeadLettersAnswer"];
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            410: components["responses"]["Refused410"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            503: components["responses"]["Refused503"];
        };
    };
    getGoalUsage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace: string;
                goal: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GoalUsage"];
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            410: components["responses"]["Refused410"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            503: components["responses"]["Refused503"];
        };
    };
    listGoalLedger: {
        parameters: {
            query?: {
                item?: string;
                state?: string;
                cursor?: string;
                limit?: number;
                evidence?: string;
            };
            header?: never;
            path: {
                workspace: string;
                goal: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Ledger"];
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            410: components["responses"]["Refused410"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            503: components["responses"]["Refused503"];
        };
    };
    testProvider: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace: string;
                name: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["TestProviderBody"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProviderTest"];
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            409: components["responses"]["Refused409"];
            410: components["responses"]["Refused410"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            503: components["responses"]["Refused503"];
        };
    };
    testServer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace: string;
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServerTest"];
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            409: components["responses"]["Refused409"];
            410: components["responses"]["Refused410"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            503: components["responses"]["Refused503"];
        };
    };
    getNotifications: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Notifications"];
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            410: components["responses"]["Refused410"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            503: components["responses"]["Refused503"];
        };
    };
    openLink: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OpenLinkBody"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LinkOpened"];
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            410: components["responses"]["Refused410"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            503: components["responses"]["Refused503"];
        };
    };
    listProgressLinks: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListProgressLinksAnswer"];
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            410: components["responses"]["Refused410"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            503: components["responses"]["Refused503"];
        };
    };
    readProgress: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace: string;
                link: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Progress"];
                };
            };
            404: components["responses"]["Refused404"];
            503: components["responses"]["Refused503"];
        };
    };
    testChat: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace: string;
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChatTest"];
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            409: components["responses"]["Refused409"];
            410: components["responses"]["Refused410"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            503: components["responses"]["Refused503"];
        };
    };
    listModels: {
        parameters: {
            query: {
                provider: string;
            };
            header?: never;
            path: {
                workspace: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListModelsAnswer"];
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            409: components["responses"]["Refused409"];
            410: components["responses"]["Refused410"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            503: components["responses"]["Refused503"];
        };
    };
    listLedger: {
        parameters: {
            query?: {
                item?: string;
                state?: string;
                cursor?: string;
                limit?: number;
                evidence?: string;
            };
            header?: never;
            path: {
                workspace: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Ledger"];
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            410: components["responses"]["Refused410"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            503: components["responses"]["Refused503"];
        };
    };
    listGoalExecutions: {
        parameters: {
            query?: {
                item?: string;
                state?: string;
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path: {
                workspace: string;
                goal: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["History"];
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            410: components["responses"]["Refused410"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            503: components["responses"]["Refused503"];
        };
    };
    listExecutions: {
        parameters: {
            query?: {
                item?: string;
                state?: string;
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path: {
                workspace: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["History"];
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            410: components["responses"]["Refused410"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            503: components["responses"]["Refused503"];
        };
    };
    listGoalVersions: {
        parameters: {
            query?: {
                item?: string;
                state?: string;
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path: {
                workspace: string;
                goal: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["History"];
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            410: components["responses"]["Refused410"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            503: components["responses"]["Refused503"];
        };
    };
    listVersions: {
        parameters: {
            query?: {
                item?: string;
                state?: string;
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path: {
                workspace: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["History"];
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            410: components["responses"]["Refused410"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            503: components["responses"]["Refused503"];
        };
    };
    listGoalProposals: {
        parameters: {
            query?: {
                item?: string;
                state?: string;
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path: {
                workspace: string;
                goal: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["History"];
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            410: components["responses"]["Refused410"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            503: components["responses"]["Refused503"];
        };
    };
    listProposals: {
        parameters: {
            query?: {
                item?: string;
                state?: string;
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path: {
                workspace: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["History"];
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            410: components["responses"]["Refused410"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            503: components["responses"]["Refused503"];
        };
    };
    listGoalPlans: {
        parameters: {
            query?: {
                item?: string;
                state?: string;
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path: {
                workspace: string;
                goal: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["History"];
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            410: components["responses"]["Refused410"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            503: components["responses"]["Refused503"];
        };
    };
    listPlans: {
        parameters: {
            query?: {
                item?: string;
                state?: string;
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path: {
                workspace: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["History"];
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            410: components["responses"]["Refused410"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            503: components["responses"]["Refused503"];
        };
    };
    listGoalItems: {
        parameters: {
            query?: {
                item?: string;
                state?: string;
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path: {
                workspace: string;
                goal: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["History"];
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            410: components["responses"]["Refused410"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            503: components["responses"]["Refused503"];
        };
    };
    listItems: {
        parameters: {
            query?: {
                item?: string;
                state?: string;
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path: {
                workspace: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["History"];
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            410: components["responses"]["Refused410"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            503: components["responses"]["Refused503"];
        };
    };
    listGoalAssignments: {
        parameters: {
            query?: {
                item?: string;
                state?: string;
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path: {
                workspace: string;
                goal: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["History"];
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            410: components["responses"]["Refused410"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            503: components["responses"]["Refused503"];
        };
    };
    listAssignments: {
        parameters: {
            query?: {
                item?: string;
                state?: string;
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path: {
                workspace: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["History"];
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            410: components["responses"]["Refused410"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            503: components["responses"]["Refused503"];
        };
    };
    listGoalAttempts: {
        parameters: {
            query?: {
                item?: string;
                state?: string;
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path: {
                workspace: string;
                goal: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["History"];
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            410: components["responses"]["Refused410"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            503: components["responses"]["Refused503"];
        };
    };
    listAttempts: {
        parameters: {
            query?: {
                item?: string;
                state?: string;
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path: {
                workspace: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["History"];
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            410: components["responses"]["Refused410"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            503: components["responses"]["Refused503"];
        };
    };
    listGoalSubmissions: {
        parameters: {
            query?: {
                item?: string;
                state?: string;
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path: {
                workspace: string;
                goal: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["History"];
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            410: components["responses"]["Refused410"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            503: components["responses"]["Refused503"];
        };
    };
    listSubmissions: {
        parameters: {
            query?: {
                item?: string;
                state?: string;
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path: {
                workspace: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["History"];
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            410: components["responses"]["Refused410"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            503: components["responses"]["Refused503"];
        };
    };
    listGoalReviews: {
        parameters: {
            query?: {
                item?: string;
                state?: string;
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path: {
                workspace: string;
                goal: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["History"];
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            410: components["responses"]["Refused410"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            503: components["responses"]["Refused503"];
        };
    };
    listReviews: {
        parameters: {
            query?: {
                item?: string;
                state?: string;
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path: {
                workspace: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["History"];
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            410: components["responses"]["Refused410"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            503: components["responses"]["Refused503"];
        };
    };
    listGoalAcceptances: {
        parameters: {
            query?: {
                item?: string;
                state?: string;
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path: {
                workspace: string;
                goal: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["History"];
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            410: components["responses"]["Refused410"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            503: components["responses"]["Refused503"];
        };
    };
    listAcceptances: {
        parameters: {
            query?: {
                item?: string;
                state?: string;
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path: {
                workspace: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["History"];
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            410: components["responses"]["Refused410"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            503: components["responses"]["Refused503"];
        };
    };
    listGoalRounds: {
        parameters: {
            query?: {
                item?: string;
                state?: string;
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path: {
                workspace: string;
                goal: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["History"];
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            410: components["responses"]["Refused410"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            503: components["responses"]["Refused503"];
        };
    };
    listRounds: {
        parameters: {
            query?: {
                item?: string;
                state?: string;
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path: {
                workspace: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["History"];
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            410: components["responses"]["Refused410"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            503: components["responses"]["Refused503"];
        };
    };
    listGoalBlockers: {
        parameters: {
            query?: {
                item?: string;
                state?: string;
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path: {
                workspace: string;
                goal: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["History"];
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            410: components["responses"]["Refused410"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            503: components["responses"]["Refused503"];
        };
    };
    listBlockers: {
        parameters: {
            query?: {
                item?: string;
                state?: string;
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path: {
                workspace: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["History"];
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            410: components["responses"]["Refused410"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            503: components["responses"]["Refused503"];
        };
    };
    listGoalWaits: {
        parameters: {
            query?: {
                item?: string;
                state?: string;
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path: {
                workspace: string;
                goal: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["History"];
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            410: components["responses"]["Refused410"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            503: components["responses"]["Refused503"];
        };
    };
    listWaits: {
        parameters: {
            query?: {
                item?: string;
                state?: string;
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path: {
                workspace: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["History"];
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            410: components["responses"]["Refused410"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            503: components["responses"]["Refused503"];
        };
    };
    listGoalApprovals: {
        parameters: {
            query?: {
                item?: string;
                state?: string;
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path: {
                workspace: string;
                goal: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["History"];
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            410: components["responses"]["Refused410"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            503: components["responses"]["Refused503"];
        };
    };
    listApprovals: {
        parameters: {
            query?: {
                item?: string;
                state?: string;
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path: {
                workspace: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["History"];
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            410: components["responses"]["Refused410"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            503: components["responses"]["Refused503"];
        };
    };
    listGoalEffects: {
        parameters: {
            query?: {
                item?: string;
                state?: string;
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path: {
                workspace: string;
                goal: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["History"];
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            410: components["responses"]["Refused410"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            503: components["responses"]["Refused503"];
        };
    };
    listEffects: {
        parameters: {
            query?: {
                item?: string;
                state?: string;
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path: {
                workspace: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["History"];
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            410: components["responses"]["Refused410"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            503: components["responses"]["Refused503"];
        };
    };
}
