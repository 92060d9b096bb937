import { request } from 'node:http'
import { fromJson } from '../support/json.ts'

/**
 * Makes a GET request, or with a form a POST request, to a server at a loopback address under another host name, as curl does with `--resolve`. (`fetch`
 * takes the name from the address, and not every machine can look up `acme.localhost`.) @param credentials `email:key`
 */
export async function getFromHost(
  ...request: Parameters<typeof textFromHost>
): Promise<{ status: number; body: Record<string, unknown> }> {
  const { status, text } = await textFromHost(...request)
  return { status, body: fromJson(text) }
}

/** Does the same for an answer that is no JSON. */
export function textFromHost(
  url: string,
  host: string,
  path: string,
  credentials = '',
  form?: URLSearchParams,
): Promise<{ status: number; text: string }> {
  const headers = {
    host: `${host}:${new URL(url).port}`,
    ...(form ? { 'content-type': 'application/x-www-form-urlencoded' } : {}),
    ...(credentials === '' ? {} : { authorization: `Basic ${btoa(credentials)}` }),
  }
  return new Promise((resolve, reject) => {
    const asked = request(`${url}${path}`, { headers, method: form ? 'POST' : 'GET' }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => {
        text += chunk
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
    })
    asked.on('error', reject)
    asked.end(form?.toString())
  })
}
