import { askWorker } from './api.ts'

/** A page as a browser receives it. */
export interface Page {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

export async function visit(address: string, init: RequestInit = {}): Promise<Page> {
  const response = await askWorker(new Request(address, { redirect: 'manual', ...init }))
  return { status: response.status, headers: response.headers, text: await response.text() }
}

/** Sends the form of a page. `ip`: the address of the browser. */
export function postForm(address: string, fields: Record<string, string>, ip = '192.0.2.1'): Promise<Page> {
  const headers = { 'CF-Connecting-IP': ip }
  return visit(address, { method: 'POST', body: new URLSearchParams(fields), headers })
}

/** Returns subject and text of each mail to an address, newest first. */
export async function mailsTo(host: string, address: string): Promise<{ subject: string; body: string }[]> {
  const { text } = await visit(`http://${host}/dev/emails`)
  return text
    .split('<article>')
    .filter((article) => article.includes(`To ${address},`))
    .map((article) => ({
      subject: /<h2>(.*)<\/h2>/.exec(article)![1]!,
      body: /<pre>(.*)<\/pre>/s.exec(article)![1]!,
    }))
}

/** Returns the link in the newest mail to an address. */
export async function mailedLink(host: string, address: string): Promise<string> {
  const [newest] = await mailsTo(host, address)
  const link = /https?:\/\/\S+\/[0-9a-f]{32}/.exec(newest?.body ?? '')
  if (!link) throw new Error(`No link in the mail to ${address}: ${JSON.stringify(newest)}`)
  return link[0]
}
