/**
 * `npm run receive-mail -- mail.eml --to ADDRESS` delivers a mail to the local server, as Cloudflare's Email Routing delivers it to a
 * deployed one. `--from` is the sender of the envelope, and `--url` the address of the server; by default the server that has the state folder open.
 */
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { exitWithError } from './project.ts'
import { chosenStateDir, findRunningServer } from './state-folder.ts'

const USAGE = `Usage: npm run receive-mail -- FILE.eml --to ADDRESS
  --from ADDRESS   the sender of the envelope, if not you@example.com
  --url URL        where the local server answers, if it has another state folder open`

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      to: { type: 'string' },
      from: { type: 'string', default: 'you@example.com' },
      url: { type: 'string' },
    },
  })
  const [file] = positionals
  if (file === undefined || values.to === undefined) throw new Error(USAGE)
  const url = values.url ?? (await findRunningServer(chosenStateDir()))?.url
  if (url === undefined) throw new Error('No local server is running. Start one with `npm start`.')
  const address = `${url.replace(/\/+$/, '')}/dev/mail?${new URLSearchParams({ from: values.from, to: values.to })}`
  const answer = await fetch(address, { method: 'POST', body: readFileSync(file) }).catch(() => {
    throw new Error(`No local server answers at ${url}. Start one with \`npm start\`.`)
  })
  if (!answer.ok) throw new Error(`The server answered ${answer.status}: ${await answer.text()}`)
  const { rejected } = (await answer.json()) as { rejected: string | null }
  if (rejected !== null) throw new Error(`The mail was refused: ${rejected}`)
  console.log('The mail was accepted.')
}

main().catch(exitWithError)
