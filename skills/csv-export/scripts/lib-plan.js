/** The plan of a CSV export: six items, who carries each, what it delivers and how that is checked. */

const SKILL = 'csv-export';
const by = (name) => ({ kind: 'skill', skill: SKILL, script: `${name}.js` });
const script = (key, title, name, files, more = {}) => ({ key, title, kind: 'script', skill: SKILL, script: `check-${name}.js`, files, ...more });
const file = (path) => ({ scope: `file:${path}` });
const own = (path) => ({ path });
const of = (item, path) => ({ item, path });
const source = (path) => ({ source: path });
const reviewed = [{ by: 'checks' }, { by: 'agent', reviewer: by('review') }];

/**
 * @param {{permissions?: object, large?: object, quote?: string[]}} [settings] permissions and the size of the large run for the requirements;
 *   `quote` replaces the characters that the server quotes, for trying what the compatibility check finds
 */
export function planOf(settings = {}) {
  const { quote, ...asked } = settings;
  return {
    mode: 'bound',
    items: [
      {
        key: 'requirements',
        kind: 'produce',
        title: 'Requirements and permissions',
        objective: 'Settle which records and columns are exported, for which spreadsheet program, and who may export. Ask what the source does not say.',
        deliverable: 'requirements.json and requirements.md',
        acceptance: [
          { id: 'program', text: 'The program is the one a person named, and it is said that a model stands in for it.' },
          { id: 'fields', text: 'Records and columns are those of the selection, in its order.' },
          { id: 'who', text: 'It says who may export, and that every export is recorded.' },
        ],
        covers: ['permissions'],
        inputs: ['records.json', 'selection.json'],
        outputs: [file('requirements.json'), file('requirements.md')],
        executor: by('requirements'),
        review: reviewed,
        input: asked,
        checks: [
          script('requirements-fit', 'Requirements fit the answer and the source', 'requirements', [own('requirements.json'), own('requirements.md'), source('records.json')], {
            facts: ['spreadsheet_program'],
          }),
        ],
      },
      {
        key: 'server',
        kind: 'produce',
        title: 'Server export',
        objective: 'Write the file, show that a large export stays within bounds and a cancelled one leaves nothing, and record who exported what.',
        deliverable: 'export.csv with its manifest, the evidence of the large and the cancelled run, the audit entry and the feedback files',
        acceptance: [
          { id: 'content', text: 'Selected records, columns and order are right, and reading the file back gives the original values.' },
          { id: 'opens', text: 'The file opens right in the chosen program.' },
          { id: 'audited', text: 'An audit entry says who exported which columns.' },
        ],
        covers: ['records', 'opens', 'bounded'],
        inputs: ['records.json', 'requirements.json'],
        outputs: ['export.csv', 'manifest.json', 'large-run.json', 'cancelled-run.json', 'audit.jsonl'].map(file).concat({ scope: 'dir:feedback/' }),
        dependsOn: [{ key: 'requirements' }],
        executor: by('server'),
        ...(quote ? { input: { quote } } : {}),
        checks: [
          script('opens-right', 'Opens right in the chosen program', 'opens', [own('export.csv'), of('requirements', 'requirements.json'), source('records.json')]),
          script('records-right', 'Selected records, columns and order; read back', 'records', [
            own('export.csv'),
            of('requirements', 'requirements.json'),
            source('records.json'),
          ]),
          script('evidence-complete', 'Large run, cancelled run, audit entry, feedback', 'evidence', [
            ...['export.csv', 'large-run.json', 'cancelled-run.json', 'audit.jsonl', 'feedback/empty_selection.json', 'feedback/failed.json'].map(own),
            of('requirements', 'requirements.json'),
          ]),
        ],
      },
      {
        key: 'client',
        kind: 'produce',
        title: 'Client selection and feedback',
        objective: 'A page to select records and columns, export, cancel, and be told what became of it.',
        deliverable: 'index.html, complete in itself',
        acceptance: [
          { id: 'selection', text: 'Records and columns can be selected, the requested ones to begin with.' },
          { id: 'says-so', text: 'Empty selection, progress, cancel, failure and success each say so.' },
        ],
        covers: ['feedback'],
        inputs: ['records.json', 'requirements.json'],
        outputs: [file('index.html')],
        dependsOn: [{ key: 'requirements' }],
        executor: by('client'),
        checks: [script('page-complete', 'The page is complete in itself', 'client', [own('index.html'), of('requirements', 'requirements.json'), source('records.json')])],
      },
      {
        key: 'compatibility',
        kind: 'verify',
        title: 'Compatibility check',
        objective: 'Look at the accepted file again, for encoding, quoting and size side by side. What only this finds sends the server export back with its scene.',
        deliverable: 'compatibility-report.json',
        acceptance: [{ id: 'three-looks', text: 'Encoding, quoting and size of the accepted file were each looked at and nothing was found.' }],
        covers: ['opens'],
        inputs: ['export.csv', 'manifest.json', 'large-run.json'],
        outputs: [file('compatibility-report.json')],
        dependsOn: [{ key: 'server' }, { key: 'client' }],
        executor: by('compatibility'),
        checks: [script('looks-complete', 'Three looks at the accepted file', 'compatibility', [own('compatibility-report.json'), of('server', 'export.csv')])],
      },
      {
        key: 'documentation',
        kind: 'produce',
        title: 'Documentation',
        objective: 'Say how the export is used, what is in the file and why, and what its limits are.',
        deliverable: 'usage.md and release-note.md',
        acceptance: [
          { id: 'usage', text: 'Usage covers selecting, cancelling, failing, and reading the file back.' },
          { id: 'release-note', text: 'The release note names the accepted file and its known limits.' },
          { id: 'honest', text: 'It says what was checked against a model only.' },
        ],
        covers: ['documented'],
        inputs: ['manifest.json', 'large-run.json'],
        outputs: [file('usage.md'), file('release-note.md')],
        dependsOn: [{ key: 'server' }, { key: 'client' }],
        executor: by('documentation'),
        review: reviewed,
        checks: [script('documents-complete', 'The documents leave nothing out', 'documents', [own('usage.md'), own('release-note.md'), of('server', 'manifest.json')])],
      },
      {
        key: 'integrated',
        kind: 'integrate',
        title: 'Integrated acceptance',
        objective: 'Bring together what was delivered and who verified it, and hold all of it to one file.',
        deliverable: 'acceptance-report.json and acceptance-report.md',
        acceptance: [{ id: 'one-file', text: 'Export, compatibility report and documents speak of the same file.' }],
        covers: ['records', 'opens', 'documented'],
        inputs: ['compatibility-report.json', 'usage.md', 'release-note.md'],
        outputs: [file('acceptance-report.json'), file('acceptance-report.md')],
        dependsOn: [{ key: 'compatibility' }, { key: 'documentation' }],
        executor: by('integrated'),
        checks: [
          script('one-file', 'Everything speaks of one file', 'integrated', [
            own('acceptance-report.json'),
            own('acceptance-report.md'),
            of('compatibility', 'compatibility-report.json'),
            of('server', 'export.csv'),
          ]),
        ],
      },
    ],
  };
}
