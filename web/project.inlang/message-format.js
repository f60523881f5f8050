/**
 * How the message files are read: `"key": "text with {inputs}"`, or `"key": {"one": "...", "other": "..."}` where the plural
 * category of the input `count` chooses. A file of its own, because the published format plugin is loaded over the network.
 */
const key = 'plugin.longhaul.messageFormat';

function pattern(text) {
  return text
    .split(/(\{\w+\})/)
    .filter((part) => part !== '')
    .map((part) => (/^\{\w+\}$/.test(part) ? { type: 'expression', arg: { type: 'variable-reference', name: part.slice(1, -1) } } : { type: 'text', value: part }));
}

function inputsOf(texts) {
  return [...new Set(texts.flatMap((text) => [...text.matchAll(/\{(\w+)\}/g)].map((match) => match[1])))];
}

export default {
  key,
  toBeImportedFiles: ({ settings }) => settings.locales.map((locale) => ({ locale, path: settings[key].pathPattern.replace('{locale}', locale) })),
  importFiles: ({ files }) => {
    const bundles = new Map();
    const messages = [];
    const variants = [];
    for (const file of files) {
      for (const [id, value] of Object.entries(JSON.parse(new TextDecoder().decode(file.content)))) {
        const plural = typeof value !== 'string';
        const texts = plural ? Object.values(value) : [value];
        const bundle = bundles.get(id) ?? { id, inputs: new Set(), plural: false };
        for (const name of inputsOf(texts)) bundle.inputs.add(name);
        if (plural) bundle.inputs.add('count');
        bundle.plural ||= plural;
        bundles.set(id, bundle);
        messages.push({ bundleId: id, locale: file.locale, selectors: plural ? [{ type: 'variable-reference', name: 'countPlural' }] : [] });
        for (const [category, text] of plural ? Object.entries(value) : [['other', value]]) {
          const matches = !plural ? [] : [category === 'other' ? { type: 'catchall-match', key: 'countPlural' } : { type: 'literal-match', key: 'countPlural', value: category }];
          variants.push({ messageBundleId: id, messageLocale: file.locale, matches, pattern: pattern(text) });
        }
      }
    }
    return {
      bundles: [...bundles.values()].map(({ id, inputs, plural }) => ({
        id,
        declarations: [
          ...[...inputs].map((name) => ({ type: 'input-variable', name })),
          ...(plural
            ? [
                {
                  type: 'local-variable',
                  name: 'countPlural',
                  value: { type: 'expression', arg: { type: 'variable-reference', name: 'count' }, annotation: { type: 'function-reference', name: 'plural', options: [] } },
                },
              ]
            : []),
        ],
      })),
      messages,
      variants,
    };
  },
};
