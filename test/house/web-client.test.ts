import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { requireWebClient } from '../../scripts/web-client.ts'

const LANGUAGES = [{ code: 'en', locale: 'en', name: 'English' }]
const DESCRIPTION = { feature_level: 372, languages: LANGUAGES }
const PAGE = '<div data-params="{{page_params}}">{{realm_name}}</div>'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'parley-client-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function written(files: Record<string, string>): string {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return folder
}

describe('a folder for --web-client', () => {
  it('is served when its page has one slot for parameters, and a description', () => {
    const client = written({ 'index.html': PAGE, 'client.json': JSON.stringify(DESCRIPTION) })
    expect(() => requireWebClient(client)).not.toThrow()
  })

  it('is refused otherwise, with a sentence that says why', () => {
    const description = (more: object) => JSON.stringify({ ...DESCRIPTION, ...more })
    const refused: [Record<string, string>, RegExp][] = [
      [{}, /has no client\.json/],
      [{ 'client.json': 'no' }, /is not JSON/],
      [{ 'client.json': description({ feature_level: 371 }) }, /feature_level/],
      [{ 'client.json': description({ languages: [] }) }, /languages/],
      [
        { 'client.json': description({ languages: [{ ...LANGUAGES[0], code: '../x' }] }) },
        /languages\.0\.code/,
      ],
      [{ 'client.json': description({ content_security_policy: 'a\nb' }) }, /content_security_policy/],
      [{ 'client.json': description({}) }, /has no index\.html/],
      [{ 'index.html': 'nothing' }, /placeholder \{\{page_params\}\} exactly once/],
      [{ 'index.html': PAGE + PAGE }, /placeholder \{\{page_params\}\} exactly once/],
      [{ 'index.html': `${PAGE}{{user_name}}` }, /has the placeholder \{\{user_name\}\}/],
      [{ 'index.html': PAGE + ' '.repeat(1024 * 1024) }, /more than 1 MiB/],
    ]
    for (const [files, reason] of refused) expect(() => requireWebClient(written(files))).toThrow(reason)
  })
})
