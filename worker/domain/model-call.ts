/** The step of a model call: judged by the budget alone, not counted for drift, no progress. It must come with what it reserves. */
export const MODEL_CALL = 'model.call';
