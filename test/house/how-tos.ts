/** The steps of how-tos of CONTRIBUTING.md, made for one example each: test/house/how-tos.long.test.ts tries them in a copy of the project. */

/** What somebody writes: a new file, which is in `how-tos`; lines above one that is there; or other words in place of some. */
type Edit =
  | { readonly newFile: string }
  | { readonly above: string; readonly lines: string }
  | { readonly words: string; readonly become: string }

export interface HowTo {
  /** The most files that may have to be written by hand. */
  readonly most: number
  readonly byHand: Readonly<Record<string, Edit>>
  /** What the how-to says to run then. */
  readonly commands: readonly string[]
  /** Tests that must pass: those of the example, and those that try whatever is declared. */
  readonly tests: readonly string[]
  /** Of tests that try everything, only these. */
  readonly named: string
}

const CHANGELOG = 'CHANGELOG.md'

export const HOW_TOS: Readonly<Record<string, HowTo>> = {
  'How to add an endpoint': {
    most: 6,
    byHand: {
      'src/features/users/forget-own-timezone.ts': { newFile: 'forget-own-timezone.ts.txt' },
      'src/features/declarations.ts': {
        above: "export * from './users/get-users.ts'",
        lines: "export * from './users/forget-own-timezone.ts'",
      },
      'test/house/page-operations.test.ts': {
        above: "  'nothing that this server does': [",
        lines: "  'what the page does by a setting': ['DELETE /users/me/timezone'],",
      },
      'docs/interface/users.md': {
        above: '## Muted users',
        lines:
          '## Time zone\n\n[`forget-own-timezone`](operations.md#forget-own-timezone) `DELETE /users/me/timezone`\n',
      },
      'test/features/users/forget-own-timezone.test.ts': { newFile: 'forget-own-timezone.test.ts.txt' },
      [CHANGELOG]: { above: '### Bots and integrations', lines: '* A time zone can be forgotten.\n' },
    },
    commands: ['npm run meter -- --keep', 'npm run pages'],
    tests: [
      'test/features/users/forget-own-timezone.test.ts',
      'test/http/permission-matrix.large.test.ts',
      'test/http/repeated-writes.long.test.ts',
      'test/meter/rows-of-operations.long.test.ts',
    ],
    named: 'forgotten|forget-own-timezone|table|write',
  },
  'How to add a field to an account': {
    most: 11,
    byHand: {
      'src/core/shown-settings.ts': {
        // Whatever fields there are by then.
        words: 'SHOWN_SETTINGS = [',
        become: "SHOWN_SETTINGS = ['pronunciation', ",
      },
      'src/store/users/settings/user-settings.ts': {
        above: "  enable_stream_desktop_notifications: flag(false, 'notification'),",
        lines: "  pronunciation: text('', null, () => null),",
      },
      'test/settings-table/table.ts': {
        above: "    ['enable_stream_desktop_notifications', ",
        lines: `    [
      'pronunciation',
      'Others see how the user’s name is pronounced',
      by('features/users/pronunciation', 'how a name is pronounced is told to everybody'),
    ],`,
      },
      'docs/interface/users.md': {
        above: '- `is_imported_stub`: ',
        lines: '- `pronunciation` says how the name is pronounced.',
      },
      'test/features/users/pronunciation.test.ts': { newFile: 'pronunciation.test.ts.txt' },
      [CHANGELOG]: { above: '### Bots and integrations', lines: '* People may say how they are called.\n' },
      'web/views/people/user-card.tsx': {
        above: '        {user.timezone && (',
        lines: `        {user.pronunciation && (
          <div>
            <dt class="hidden-text">{f.card.pronunciation}</dt>
            <dd class="soft">{user.pronunciation}</dd>
          </div>
        )}`,
      },
      'web/views/settings/profile.tsx': {
        above: '        <TextRow\n          label={t.settings.status}',
        lines: `        <TextRow
          label={s.profile.pronunciation}
          value={me.pronunciation}
          maxLength={100}
          onSave={(text) => refusalOf(saveSetting('pronunciation', text.trim()))}
        />`,
      },
      'web/views/settings/search-index.ts': {
        words: 's.profile.name, ',
        become: 's.profile.name, s.profile.pronunciation, ',
      },
      'texts/en/settings.json': {
        above: '    "role": "Your role"',
        lines: '    "pronunciation": "How your name is pronounced",',
      },
      'texts/en/frame.json': {
        above: '    "localTime": "Local time"',
        lines: '    "pronunciation": "Pronunciation",',
      },
    },
    commands: ['npm run texts', 'npm run pages'],
    tests: [
      'test/features/users/pronunciation.test.ts',
      'test/model/user-settings.test.ts',
      'test/page-state',
      'test/reference-model/state-equals-events.long.test.ts',
    ],
    named: '',
  },
}
