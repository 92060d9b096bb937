/**
 * `npm run receive-mail -- mail.eml --to ADDRESS` brings a mail to the local server, as Cloudflare's Email Routing brings it to a
 * deployed one. `--from` is the sender of the envelope, `--url` where the server answers (http://localhost:8787).
 */
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { exitWithError } from './project.ts'

const USAGE = `Usage: npm run receive-mail -- FILE.eml --to ADDRESS
  --from ADDRESS   the sender of the envelope, if not you@example.com
  --url URL        where the local server answers, if not at http://localhost:8787`

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      to: { type: 'string' },
      from: { type: 'string', default: 'you@example.com' },
      url: { type: 'string', default: 'http://localhost:8787' },
    },
  })
  const [file] = positionals
  if (file === undefined || values.to === undefined) throw new Error(USAGE)
  const address = `${values.url.replace(/\/+$/, '')}/dev/mail?${new URLSearchParams({ from: values.from, to: values.to })}`
  const answer = await fetch(address, { method: 'POST', body: readFileSync(file) }).catch(() => {
    throw new Error(`No local server answers at ${values.url}: \`npm start\` starts one.`)
  })
  if (!answer.ok) throw new Error(`The server answered ${answer.status}: ${await answer.text()}`)
  const { rejected } = (await answer.json()) as { rejected: string | null }
  if (rejected !== null) throw new Error(`The mail was refused: ${rejected}`)
  console.log('The mail was taken.')
}

main().catch(exitWithError)
