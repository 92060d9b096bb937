import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ApiClient } from '../../scripts/api-client.ts'
import { uploadArchive } from '../../scripts/import-upload.ts'
import { type LocalServer, startLocalServer } from '../../scripts/local-server.ts'
import type { CreatedOrganization } from '../../scripts/organizations.ts'
import { PROJECT, runProgram } from '../../scripts/project.ts'
import { fromJson } from '../support/json.ts'
import { found } from './found.ts'

const MIB = 1024 * 1024
const folder = mkdtempSync(join(tmpdir(), 'parley-import-command-'))

let server: LocalServer
let ann: CreatedOrganization
beforeAll(async () => {
  server = await startLocalServer()
  ann = await found(server)
})
afterAll(async () => {
  await server.stop()
  rmSync(folder, { recursive: true })
})

function archive(name: string, lines: readonly object[]): string {
  const path = join(folder, name)
  writeFileSync(path, lines.map((line) => JSON.stringify(line)).join('\n'))
  return path
}

/** Runs the command for the owner; returns what it prints. */
function run(...args: string[]): Promise<string> {
  const remote = ['--remote', server.url, '--email', ann.email]
  return runProgram(join(PROJECT, 'scripts/import.ts'), [...args, ...remote], {
    env: { PARLEY_API_KEY: ann.api_key },
  })
}

const head = (source: string) => ({ type: 'parley-import', version: 1, source })
const ADA = { type: 'user', id: 'a', full_name: 'Ada Amsel' }

describe('npm run import', { timeout: 120_000 }, () => {
  it('imports into another organization of the local server, whose name needs no resolver', async () => {
    const host = 'harbour.localhost'
    const bea = await found(server, host)
    const path = archive('local.jsonl', [head('campfire:local'), ADA])
    const local = (...args: string[]) =>
      runProgram(join(PROJECT, 'scripts/import.ts'), args, { env: { PORT: new URL(server.url).port } })
    const output = await local(path, '--host', host, '--yes')
    expect(output).toContain(`Done: http://${host}:`)
    const there = new ApiClient(`http://${host}:${new URL(server.url).port}`, bea)
    const { members } = await there.call<{ members: { full_name: string }[] }>('GET', '/users')
    expect(members.map(({ full_name }) => full_name)).toContain(ADA.full_name)
    const here = await new ApiClient(server.url, ann).call<{ members: { full_name: string }[] }>(
      'GET',
      '/users',
    )
    expect(here.members.map(({ full_name }) => full_name)).not.toContain(ADA.full_name)
    await expect(local(path, '--host', 'nobody.localhost')).rejects.toThrow('cannot be reached')
  })

  it('describes an archive, and imports it on confirmation', async () => {
    const path = archive('team.jsonl', [
      head('campfire:harbour'),
      ADA,
      { type: 'user', id: 'b', full_name: 'Ben Brandt' },
      { type: 'channel', id: 'c', name: 'harbour' },
      { type: 'message', id: '1', sender: 'a', channel: 'c', topic: 't', content: 'without a time' },
    ])
    const mapping = join(folder, 'mapping.json')
    writeFileSync(mapping, JSON.stringify({ users: { b: ann.user_id }, direct_messages: false }))
    const chosen = join(folder, 'choices.json')
    expect(await run(path, '--choices', chosen)).toContain('Nothing is imported yet')
    expect(fromJson(readFileSync(chosen, 'utf8'))).toMatchObject({
      users: [{ id: 'a', name: 'Ada Amsel', target_id: null }, { id: 'b' }],
      channels: [{ id: 'c', name: 'harbour' }],
      here: { users: expect.arrayContaining([expect.objectContaining({ id: ann.user_id })]) },
    })
    const first = await run(path)
    expect(first).toContain('2  people without an address')
    expect(first).toMatch(
      /Estimate: \d+ s, \$0\.0\d once and \$0\.00 a month\n.+ rows written in the object .+ in D1 /,
    )
    expect(first).toMatch(/team\.jsonl:5 {2}/)
    expect(first).toContain('Nothing was imported.')
    const second = await run(path, '--yes', '--mapping', mapping)
    expect(second).toMatch(/Written:\n(.*\n)* +1 {2}people\n/)
    expect(second).toContain('Done')
    await expect(run('--cancel')).rejects.toThrow('No import is under way')
    expect(await run('--undo')).toContain('team.jsonl: undone')
    await expect(run('--undo')).rejects.toThrow('No import could be undone')
  })

  it('leaves what an earlier import has brought, unless it is of another place', async () => {
    const path = archive('twice.jsonl', [head('campfire:twice'), ADA])
    await run(path, '--yes')
    const mapping = join(folder, 'contradiction.json')
    writeFileSync(mapping, JSON.stringify({ users: { a: ann.user_id } }))
    await expect(run(path, '--yes', '--mapping', mapping)).rejects.toThrow(
      'An earlier import has brought the person "Ada Amsel": leave this decision out',
    )
    const chosen = join(folder, 'decided.json')
    const choicesIn = async (...more: string[]) => {
      await run(path, '--choices', chosen, ...more)
      return fromJson(readFileSync(chosen, 'utf8')).users
    }
    expect(await choicesIn()).toMatchObject([{ id: 'a', target_id: expect.any(Number), is_imported: true }])
    expect(await choicesIn('--another')).toMatchObject([{ id: 'a', target_id: null, is_imported: false }])
    expect(await run(path, '--yes', '--mapping', mapping)).toMatch(/1 {2}people who have accounts\n/)
    expect(await run('--undo')).toContain('twice.jsonl: undone')
    expect(await run('--undo')).toContain('twice.jsonl: undone')
  })

  it('undoes the last import that has changed something', async () => {
    const path = archive('same.jsonl', [head('campfire:same'), ADA])
    await run(path, '--yes')
    expect(await run(path, '--yes')).not.toContain('Written:')
    expect(await run('--undo')).toContain('same.jsonl: undone')
    await expect(run('--undo')).rejects.toThrow('No import could be undone')
  })

  it('cancels an import that waits', async () => {
    const path = archive('other.jsonl', [head('campfire:other'), ADA])
    await run(path)
    await expect(run('--pause', '--cancel')).rejects.toThrow('Usage')
    expect(await run('--pause')).toContain('Paused: other.jsonl')
    expect(await run('--cancel')).toContain('other.jsonl: cancelled')
  })

  it('resumes an interrupted upload', async () => {
    const padding = 'x'.repeat(10 * MIB)
    const path = archive('large.jsonl', [head('campfire:large'), { ...ADA, padding }, { ...ADA, padding }])
    const client = new ApiClient(server.url, ann)
    const broken = uploadArchive(client, path, (received) => {
      if (received > 0) throw new Error('broken off')
    })
    await expect(broken).rejects.toThrow('broken off')
    const printed = await run(path, '--yes')
    expect(printed).not.toContain('Uploading: 0 bytes')
    expect(printed).toContain('Uploading: 16 MiB of 20 MiB (79 %)')
    expect(printed).toContain('Done')
  })

  it('goes on after the server was away for a while', async () => {
    const path = archive('away.jsonl', [head('campfire:away'), ADA])
    let looks = 0
    const proxy = createServer((socket) => {
      const onward = connect(Number(new URL(server.url).port), '127.0.0.1')
      for (const end of [socket, onward]) end.on('error', () => socket.destroy())
      socket.once('data', (first) => {
        if (String(first).startsWith('GET /api/v1/imports?')) looks += 1
        // Two come before the upload. The next two find nobody.
        if (looks === 3 || looks === 4) socket.destroy()
        else {
          onward.write(first)
          socket.pipe(onward).pipe(socket)
        }
      })
    })
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
    try {
      const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
      const printed = await runProgram(
        join(PROJECT, 'scripts/import.ts'),
        [path, '--yes', '--remote', url, '--email', ann.email],
        { env: { PARLEY_API_KEY: ann.api_key } },
      )
      expect(printed).toContain('The server cannot be reached. Retrying')
      expect(printed).toContain('Done')
    } finally {
      proxy.close()
    }
  })

  it('explains problems in words', async () => {
    await expect(run(join(folder, 'nowhere.zip'))).rejects.toThrow('There is no file')
    const unknown = archive('unknown.bin', [{ some: 'thing' }])
    await expect(run(unknown, '--yes')).rejects.toThrow('The import is failed')
    await expect(
      runProgram(
        join(PROJECT, 'scripts/import.ts'),
        [unknown, '--remote', 'http://127.0.0.1:1', '--email', 'a@b.example'],
        {
          env: { PARLEY_API_KEY: ann.api_key },
        },
      ),
    ).rejects.toThrow('The server cannot be reached. Run the same command again to continue.')
    const broken = join(folder, 'broken.json')
    writeFileSync(broken, '{"users":')
    await expect(run(unknown, '--mapping', broken)).rejects.toThrow(
      `The decisions in ${broken} are not JSON: `,
    )
    await expect(run(unknown, '--mapping', join(folder, 'none'))).rejects.toThrow('There is no file')
  })
})
