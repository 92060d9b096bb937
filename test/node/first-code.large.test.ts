import { expect, it } from 'vitest'
import { startLocalServer } from '../../scripts/local-server.ts'
import { makeSetUpLink } from '../../scripts/organizations.ts'

const OWNER = { name: 'Acme', full_name: 'Ann Boss', email: 'ann@example.com', password: 'correct horse' }

it('a deployment without organizations asks for the printed code, and nothing founds without it', async () => {
  const server = await startLocalServer({ entry: 'deployed', vars: { LOG: 'off' } })
  try {
    const database = await server.runtime.getD1Database('DB')
    const post = (path: string, fields: Record<string, string>) =>
      fetch(server.url + path, {
        method: 'POST',
        redirect: 'manual',
        headers: { Origin: server.url },
        body: new URLSearchParams(fields),
      })
    const first = async () => (await fetch(server.url)).text()
    const enter = async (code: string) => (await post('/setup', { code })).headers.get('location')
    expect(await first()).toContain('enter the code')
    expect(await enter(' wrong ')).toBe('/setup/wrong')
    expect((await fetch(`${server.url}/setup/wrong`)).status).toBe(404)
    expect((await post('/setup/wrong', OWNER)).status).toBe(404)
    const link = await makeSetUpLink(server.url, 'localhost', (sql) => database.prepare(sql).run())
    const { pathname } = new URL(link)
    // The code is the end of the link, and the whole link will do. Nothing leads elsewhere.
    for (const code of [link, pathname.split('/').at(-1)!]) expect(await enter(code)).toBe(pathname)
    expect(await enter('//evil.test')).toBe('/setup/evil.test')
    expect((await post(pathname, OWNER)).status).toBe(302)
    expect(await first()).not.toContain('enter the code')
  } finally {
    await server.stop()
  }
})
