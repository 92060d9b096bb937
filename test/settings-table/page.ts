import { LEVELS, type Level, SETTINGS_TABLE, type Setting } from './table.ts'

/** docs/settings.md, as the table says it. */
export function settingsPage(): string {
  return [
    '# Settings of people, organizations, channels and groups',
    '',
    'What each setting does, and which test shows it with one value and with another. This page is made by `npm run settings` from',
    'the table in `test/settings-table`; a test fails for a setting that is not in it, and for one whose test is not there. Settings',
    'of a deployment are in the [README](../README.md).',
    '',
    '*For clients* are settings that the server keeps and tells, and that clients follow. *Not yet* are settings that can be set and',
    'have no effect, because what they are about is not there.',
    '',
    '## Not yet',
    '',
    ...[...SETTINGS_TABLE].flatMap(([key, { known }]) =>
      'notYet' in known ? [`- ${levelOf(key)}: \`${nameOf(key)}\` (${known.notYet})`] : [],
    ),
    ...Object.keys(LEVELS).flatMap((level) => section(level as Level)),
    '',
  ].join('\n')
}

function section(level: Level): string[] {
  const rows = [...SETTINGS_TABLE].filter(([key]) => levelOf(key) === level)
  return [
    '',
    `## ${LEVELS[level]}`,
    '',
    '| setting | what it says | known by |',
    '|---|---|---|',
    ...rows.map(([key, { effect, known }]) => `| \`${nameOf(key)}\` | ${effect} | ${knownBy(known)} |`),
  ]
}

function knownBy(known: Setting['known']): string {
  if ('notYet' in known) return `**not yet**: ${known.notYet}`
  if ('forClients' in known) return `for clients: ${known.forClients}`
  return `\`${known.by}\`, “${known.named}”`
}

const levelOf = (key: string) => key.split(' ')[0]!
const nameOf = (key: string) => key.split(' ')[1]!
