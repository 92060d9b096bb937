import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { firstAnswer, freePort, keyOf, start } from './started.ts'

describe('npm start', () => {
  it('creates the demo organization before it listens, and ends on a signal', {
    timeout: 180_000,
  }, async () => {
    const port = await freePort()
    const own = { STATE_DIR: mkdtempSync(join(tmpdir(), 'parley-test-')) }
    const { child, saw, ended } = start(['scripts/start.ts', '--port', String(port)], own)
    const url = `http://127.0.0.1:${port}`
    expect(await firstAnswer(`${url}/api/v1/server_settings`)).toMatchObject({ result: 'success' })
    await saw(/Ctrl-C/)
    expect(await keyOf(url, 'ada@example.com')).toMatch(/^\S{20,}$/)
    child.kill('SIGTERM')
    expect((await ended).code).toBe(143)
    await expect(fetch(url)).rejects.toThrow()
    rmSync(own.STATE_DIR, { recursive: true })
  })
})
