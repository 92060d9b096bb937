/** Existing clients, and the tests that drive the server with them. */
import type { TestReport } from './compatibility-page.ts'

interface ExistingClient {
  readonly name: string
  readonly how: string
  readonly file: string
  /** The beginning of its tests' titles, if the file has tests of several clients. */
  readonly titles?: string
}

export interface CheckedClient extends ExistingClient {
  readonly tests: readonly { readonly text: string; readonly passed: boolean }[]
}

const AS_PUBLISHED = 'the package as published'
const NPM_CLIENTS = 'npm-clients.long.test.ts'

const CLIENTS: readonly ExistingClient[] = [
  { name: 'zulip-js 2.1, as people use it', how: AS_PUBLISHED, file: 'zulip-js.test.ts' },
  { name: 'zulip-js 2.1, every method', how: AS_PUBLISHED, file: 'zulip-js-resources.long.test.ts' },
  { name: 'zulip 0.1', how: AS_PUBLISHED, file: NPM_CLIENTS, titles: 'the npm package zulip 0.1' },
  {
    name: 'zulip-node 1.0',
    how: 'the package as published, with our address in its field of addresses',
    file: NPM_CLIENTS,
    titles: 'the npm package zulip-node',
  },
  {
    name: 'winston-zulip 0.0.6',
    how: AS_PUBLISHED,
    file: NPM_CLIENTS,
    titles: 'the npm package winston-zulip',
  },
  {
    name: '@zulip/shared 0.0.18',
    how: 'its forms of links',
    file: NPM_CLIENTS,
    titles: 'the links in a message',
  },
  {
    name: 'a web client of the public one’s kind, in Chromium',
    how: 'not the program: a small page that reads every page parameter, refuses what the public web client of level 372 would, and talks',
    file: 'web-client.long.test.ts',
  },
  { name: 'tus-js-client 4.3', how: AS_PUBLISHED, file: 'tus-js-client.long.test.ts' },
  {
    name: 'the mobile client and the terminal client',
    how: 'not the programs: schemas of what they read (snapshot, messages, every event), and the ways they register',
    file: 'existing-clients.long.test.ts',
  },
]

export const CLIENT_FILES = [...new Set(CLIENTS.map(({ file }) => `test/node/${file}`))]

/** @throws {Error} where a client has no test in the report. */
export function readClients({ testResults }: TestReport): CheckedClient[] {
  return CLIENTS.map((client) => {
    const tests = testResults
      .filter(({ name }) => name.endsWith(`/${client.file}`))
      .flatMap(({ assertionResults }) => assertionResults)
      .map(({ ancestorTitles, title, status }) => ({
        text: [...ancestorTitles, title].join(' '),
        passed: status === 'passed',
      }))
      .filter(({ text }) => text.startsWith(client.titles ?? ''))
    if (tests.length === 0) throw new Error(`No test of ${client.name} was run`)
    return { ...client, tests }
  })
}
