import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { PROJECT, TEXTS } from '../../scripts/project.ts'
import { readSourceTree } from './import-graph.ts'
import { findUnusedExports } from './unused-exports.ts'

const SRC = readSourceTree(join(PROJECT, 'src'))
const WEB = readSourceTree(join(PROJECT, 'web'))
const SCRIPTS = readSourceTree(join(PROJECT, 'scripts'))
const BENCH = readSourceTree(join(PROJECT, 'bench'))
const TEST = readSourceTree(join(PROJECT, 'test'))

/** Returns the operation ids that have a declaration. */
function operations(): Set<string> {
  const declared = [...SRC].filter(([file]) => /^(?:features|api)\//.test(file))
  return new Set(
    declared.flatMap(([, text]) => [...text.matchAll(/^ {2}operation: '([^']+)'/gm)].map(([, id]) => id!)),
  )
}

/** Returns `file:line` for each line that matches and is not a comment. */
function linesWith(pattern: RegExp, tree: ReadonlyMap<string, string> = SRC): string[] {
  return [...tree].flatMap(([file, text]) =>
    text
      .split('\n')
      .flatMap((line, index) =>
        pattern.test(line) && !/^\s*(?:\*|\/\/|\/\*)/.test(line) ? [`${file}:${index + 1}`] : [],
      ),
  )
}

/** Returns the files that call `JSON.parse`. */
function filesThatParse(tree: ReadonlyMap<string, string>): string[] {
  return [...new Set(linesWith(/\bJSON\.parse\(/, tree).map((line) => line.split(':')[0]!))]
}

/** Two casts assert a type that the first of them does not check. */
const DOUBLE_CAST = /\bas (?:unknown|any|never|object) as\b/
/** A cast to a value that fits every type. */
const CAST_TO_NEVER = /\bas never(?=[,;)\]}[]|\s*$)/
/** A cast that tests do not need: an answer whose form nobody has checked. */
const CAST_OF_AN_ANSWER = /\.json\(\)+ as\b/

describe('types in src, web, scripts, bench and test', () => {
  it('are never asserted by two casts', () => {
    const trees = [SRC, WEB, SCRIPTS, BENCH, TEST]
    expect(trees.flatMap((tree) => linesWith(DOUBLE_CAST, tree))).toEqual([])
    expect(linesWith(CAST_OF_AN_ANSWER, TEST)).toEqual([])
  })

  it('are never cast to a type that fits everything', () => {
    const trees = [SRC, WEB, SCRIPTS, BENCH, TEST]
    expect(trees.flatMap((tree) => linesWith(CAST_TO_NEVER, tree))).toEqual([])
  })

  it('are read from JSON in only one file', () => {
    expect(filesThatParse(SRC)).toEqual(['core/json.ts'])
    expect(filesThatParse(WEB)).toEqual(['api/json.ts'])
    expect(filesThatParse(SCRIPTS)).toEqual(['json.ts'])
    // The scripts' reader serves the benches and the tests too. The clients that run in a Worker of their own are a single file.
    expect(filesThatParse(BENCH)).toEqual(['listeners/worker.ts'])
    expect(filesThatParse(TEST)).toEqual([])
  })
})

describe('a property of an operation', () => {
  it('is in its declaration, not in a comparison of its name', () => {
    const names = operations()
    expect(names.size).toBeGreaterThan(200)
    const compared = [...SRC].flatMap(([file, text]) =>
      [...text.matchAll(/operation\w* [!=]== '([^']+)'/g)].map(([, name]) => `${file}: ${name}`),
    )
    expect(compared).toEqual([])
  })

  it('is in no list of operation names', () => {
    const names = operations()
    const lists = [...SRC].flatMap(([file, text]) =>
      [...text.matchAll(/\[\s*(?:'[a-z0-9-]+',?\s*){2,}\]/g)]
        .filter(
          ([list]) => [...list.matchAll(/'([^']+)'/g)].filter(([, name]) => names.has(name!)).length > 1,
        )
        .map(([list]) => `${file}: ${list.slice(0, 60)}`),
    )
    expect(lists).toEqual([])
  })
})

describe('the page', () => {
  const filesWith = (pattern: RegExp) => [
    ...new Set(linesWith(pattern, WEB).map((line) => line.split(':')[0])),
  ]

  it('says that there is no connection only where a request got no answer', () => {
    // These look at the connection itself: the page before its first data, the line on top, and what was not loaded.
    const atConnection = ['main.tsx', 'views/auth-page/auth-page.tsx', 'views/app-shell/connection-line.tsx']
    expect(
      filesWith(/\bt\.(?:noConnection|connection\.offline|auth\.unreachable|notLoaded)\b/).sort(),
    ).toEqual(
      [...atConnection, 'texts/failure-text.ts', 'ui/on-demand.tsx', 'views/emoji/emoji-picker.tsx'].sort(),
    )
    expect(filesWith(/'NETWORK'/).sort()).toEqual([
      'api/errors.ts',
      'state/outbox.ts',
      'texts/failure-text.ts',
    ])
  })

  it('names a lost connection in no other of its words', () => {
    const named = ['page', 'settings', 'compose', 'reading', 'frame'].flatMap((area) => {
      const text = readFileSync(join(TEXTS, 'en', `${area}.json`), 'utf8')
      return [...text.matchAll(/^ *"(\w+)":.*\b(?:you’re offline|connection|reach the server)\b/gim)].map(
        ([, key]) => `${area} ${key}`,
      )
    })
    expect(named).toEqual(['page noConnection', 'page offline', 'page unreachable', 'page text'])
  })

  it('reads each answer of a passkey with one function', () => {
    const asking = filesWith(/\bnavigator\.credentials\b/)
    expect(asking.sort()).toEqual(['api/passkeys.ts', 'passkey-form.ts'])
    for (const file of asking) expect(WEB.get(file!)).toMatch(/credentialJson\(await /)
  })
})

/** Exports that are taken without an import. */
const TAKEN_OTHERWISE = [
  // The bundler takes this file in place of the one of `src` (vitest.config.ts).
  'test/support/password-cost.ts: PASSWORD_COST',
  // The scripts write files whose texts have these lines.
  'scripts/build-emoji-table.ts: emojiTable',
  'scripts/build-slack-emoji.ts: slackEmojiTable',
  'scripts/build-top-level-domains.ts: topLevelDomains',
  // Durable Objects, which workerd finds by the names of their classes.
  'bench/bare/importing.ts: ImportingObject',
  'bench/bare/obliged-baseline.ts: BaselineObject',
  'bench/bare/store.ts: SocketsObject',
  'bench/bare/worker.ts: BareObject',
  'bench/listeners/worker.ts: Listeners',
]

describe('what src, web, test, scripts and bench export', () => {
  it('is imported by another file', () => {
    const trees = ['src', 'web', 'test', 'scripts', 'bench', 'texts'].flatMap((folder) =>
      [...readSourceTree(join(PROJECT, folder))].map(([file, text]) => [`${folder}/${file}`, text] as const),
    )
    const config = readFileSync(join(PROJECT, 'vitest.config.ts'), 'utf8')
    expect(trees.length).toBeGreaterThan(1_500)
    expect(findUnusedExports(new Map([...trees, ['vitest.config.ts', config]]))).toEqual(TAKEN_OTHERWISE)
  })

  it('counts as imported through another file only if it is imported from there', () => {
    const tree = new Map([
      ['a.ts', 'export const one = 1\nexport function two() {}\nexport async function three() {}\n'],
      ['index.ts', "export { one } from './a.ts'\nexport * from './b.ts'\n"],
      ['b.ts', 'export class Four {}\nexport const five = 5\n'],
      ['c.ts', "import { five as other } from './index.ts'\nimport { three } from './a.ts'\n"],
    ])
    expect(findUnusedExports(tree)).toEqual(['a.ts: one', 'a.ts: two', 'b.ts: Four'])
  })
})

/**
 * All variables of modules that change while a Worker or an object lives, with the limit of each. None may hold an
 * organization's state: several objects share one isolate, and any of them may be evicted.
 */
const MODULE_STATE: Readonly<Record<string, string>> = {
  'core/log.ts written': 'one setting of the deployment',
  'core/deployment-settings.ts logged': 'one entry a setting of the deployment that is not understood',
  'own-machine/worker.ts isEnding': 'one mark of the process',
  'own-machine/worker.ts underWay': 'one number',
  'dev/seed/seed-plan.ts latest': 'development only; one plan',
  'model/users/addresses/email-rules.ts known': 'a list of the build, unpacked when it is first asked for',
  'model/users/profile/avatar.ts digests': 'DIGESTS_KEPT characters',
  'model/users/profile/avatar.ts digestsSize': 'one number',
  'markdown/highlight.ts names': 'the name of each language of the build',
  'core/call.ts lastRead': 'facts about one deployment, and their text',
  'engine/counted-sql.ts texts': 'STATEMENTS_KNOWN statements',
  'http/request/credentials.ts accepted': 'REMEMBERED callers',
  'http/request/count-requests.ts pending': 'MAX_PENDING organizations',
  'http/snapshot/ask-in-sections.ts asking':
    'one entry an organization that is being asked or answered now; from MANY on, those whose end was not heard go',
  'http/polls/hold-poll.ts given': 'REMEMBERED queues',
  'http/storage/stored-files.ts started': 'MAX_STARTED keys',
  'http/files/built-in-files.ts document': 'a table of the build, written when it is first asked for',
  'http/failed-attempts.ts proofs': 'REMEMBERED digests',
  'http/files/public-images.ts confirmed': 'MAX_CONFIRMED ids',
  'http/providers/signing-keys.ts documents': 'MAX_DOCUMENTS providers',
  'http/providers/signing-keys.ts kept': 'MAX_KEPT providers, each MAX_KEYS_LENGTH characters',
  'hasher/picture-place.ts taken': 'one time: who draws a picture in this isolate',
  'images/png-codec.ts decoded': 'where the last picture lies in the codec’s memory; it is freed with it',
  'images/png-codec.ts idle': 'one codec',
  'images/jpeg-webp-codecs.ts idleEncoder': 'one codec',
  'integrations/slack/emoji.ts codes': 'a table of the build, read when it is first asked for',
  'markdown/emoji-data.ts index': 'a table of the build, read when it is first asked for',
  'markdown/linkifiers.ts compiled': 'maxCompiled instructions',
  'markdown/linkifiers.ts compiledSize': 'one number',
  'markdown/parser.ts shared': 'one parser',
  'markdown/addresses.ts names': 'a list of the build, unpacked when it is first asked for',
  'markdown/emoji-data.ts byCodePoints': 'a table of the build, made when it is first asked for',
}

describe('state of modules', () => {
  const found = [...SRC]
    .flatMap(([file, text]) =>
      [
        ...text.matchAll(/^(?:export )?let (\w+)/gm),
        ...text.matchAll(/^(?:export )?const (\w+)(?:: [^=\n]+)? = new (?:Map|Set)(?:<[^\n]*>)?\(\)/gm),
      ].map(([, name]) => `${file} ${name}`),
    )
    .sort()

  it('is listed here, each with its limit', () => {
    expect(found).toEqual(Object.keys(MODULE_STATE).sort())
  })

  it('has the limit that the list says', () => {
    for (const [entry, reason] of Object.entries(MODULE_STATE)) {
      const limit = /^(?:[A-Z_]{4,}|maxCompiled)\b/.exec(reason)?.[0]
      if (limit === undefined) continue
      const text = readFileSync(join(PROJECT, 'src', entry.split(' ')[0]!), 'utf8')
      expect(text.split(limit).length, `${entry}: ${limit} is declared and compared with`).toBeGreaterThan(2)
    }
  })
})
