/**
 * What a migration of D1 takes away. Migrations run while the code before them still answers, so each must leave that code working: expand first, contract in a later release
 * when nothing reads or writes the old form any more.
 */

const patterns: readonly [RegExp, string][] = [
  [/\bdrop\s+table\s+(?:if\s+exists\s+)?[`"[]?(\w+)/gi, 'drops the table'],
  [/\balter\s+table\s+\S+\s+drop\s+(?:column\s+)?[`"[]?(\w+)/gi, 'drops the column'],
  [/\balter\s+table\s+\S+\s+rename\s+(?:column\s+)?(?!to\b)[`"[]?(\w+)/gi, 'renames the column'],
  [/\balter\s+table\s+[`"[]?(\w+)[`"\]]?\s+rename\s+to\b/gi, 'renames the table'],
  // Rows that the running code writes would lack it.
  [/\balter\s+table\s+\S+\s+add\s+(?:column\s+)?[`"[]?(\w+)[`"\]]?(?=[^;]*\bnot\s+null\b)(?![^;]*\bdefault\b)/gi, 'adds, without a default, the column'],
  [/\bcreate\s+unique\s+index\s+(?:if\s+not\s+exists\s+)?[`"[]?(\w+)/gi, 'makes unique by'],
];

/** Empty: the code that runs now can go on. A new table's own unique indexes take nothing away. */
export function contractionsOf(sql: string): string[] {
  const text = sql.replace(/--.*$/gm, '').replace(/\/\*[\s\S]*?\*\//g, '');
  const created = new Set([...text.matchAll(/\bcreate\s+table\s+(?:if\s+not\s+exists\s+)?[`"[]?(\w+)/gi)].map((match) => match[1]));
  return patterns.flatMap(([pattern, what]) =>
    [...text.matchAll(pattern)]
      .filter((match) => {
        if (what !== 'makes unique by') return true;
        const table = /^[`"\]]?\s+on\s+[`"[]?(\w+)/i.exec(text.slice((match.index ?? 0) + match[0].length))?.[1];
        return table === undefined || !created.has(table);
      })
      .map((match) => `${what} ${match[1] ?? ''}`),
  );
}
