/** Whether a selection can be exported as it stands. Where it cannot, the question that a person has to answer. */

const list = (key, title, items, extra = {}) => ({
  type: 'object',
  title,
  properties: { [key]: { type: 'array', title, items, minItems: 1, ...extra } },
  required: [key],
  additionalProperties: false,
});
const some = (texts) => `${texts.slice(0, 10).join(', ')}${texts.length > 10 ? ` and ${texts.length - 10} more` : ''}`;
const repeated = (texts) => [...new Set(texts.filter((text, at) => texts.indexOf(text) !== at))];

/**
 * @param {{id: string}[]} records @param {string[]} ids @param {string[]} columns @param {string[]} withheld columns that nobody may export
 * @returns {object | undefined} arguments of `block`; the answer is recorded as the fact it names
 */
export function problemsOf(records, ids, columns, withheld) {
  const known = new Set(records.map((record) => record.id));
  const twice = repeated(records.map((record) => record.id));
  const names = new Set(records.flatMap((record) => Object.keys(record)));
  if (twice.length > 0) {
    return {
      key: 'source_data',
      reason: `Records share an id, so that a selection does not say which one is meant: ${some(twice)}. Put records.json right, then answer that it was replaced.`,
      form: {
        type: 'object',
        title: 'Source data',
        properties: { replaced: { type: 'boolean', title: 'The file was replaced' } },
        required: ['replaced'],
        additionalProperties: false,
      },
    };
  }
  const unknownIds = ids.filter((id) => !known.has(id));
  const idProblem =
    ids.length === 0
      ? 'Nothing is selected, and an export of nothing leaves no file.'
      : unknownIds.length > 0
        ? `The selection names records that do not exist: ${some(unknownIds)}.`
        : new Set(ids).size < ids.length
          ? `The selection names records twice: ${some(repeated(ids))}.`
          : undefined;
  if (idProblem) {
    const left = [...new Set(ids)].filter((id) => known.has(id));
    return {
      key: 'export_selection',
      reason: `${idProblem} Which records are exported?`,
      form: list('ids', 'Records, in their order', { type: 'string' }),
      fact: 'export_selection',
      ...(left.length > 0 ? { recommended: { ids: left } } : {}),
    };
  }
  const wrong = columns.filter((column) => !names.has(column));
  const kept = columns.filter((column) => withheld.includes(column));
  const columnProblem =
    columns.length === 0
      ? 'No column is chosen.'
      : wrong.length > 0
        ? `No record has these columns: ${some(wrong)}.`
        : kept.length > 0
          ? `These columns may not be exported: ${some(kept)}.`
          : new Set(columns).size < columns.length
            ? `Columns are named twice: ${some(repeated(columns))}.`
            : undefined;
  if (columnProblem) {
    const left = [...new Set(columns)].filter((column) => names.has(column) && !withheld.includes(column));
    return {
      key: 'export_columns',
      reason: `${columnProblem} Which columns are exported?`,
      form: list('columns', 'Columns, in their order', { type: 'string' }),
      fact: 'export_columns',
      ...(left.length > 0 ? { recommended: { columns: left } } : {}),
    };
  }
  return undefined;
}
