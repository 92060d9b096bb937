import { get } from 'node:http'
import { fromJson } from '../support/json.ts'

/**
 * Makes a GET request to a server at a loopback address under another host name, as curl does with `--resolve`. (`fetch`
 * takes the name from the address, and not every machine can look up `acme.localhost`.) @param credentials `email:key`
 */
export function getFromHost(
  url: string,
  host: string,
  path: string,
  credentials = '',
): Promise<{ status: number; body: Record<string, unknown> }> {
  const headers = {
    host: `${host}:${new URL(url).port}`,
    ...(credentials === '' ? {} : { authorization: `Basic ${btoa(credentials)}` }),
  }
  return new Promise((resolve, reject) => {
    get(`${url}${path}`, { headers }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => {
        text += chunk
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: fromJson(text) }))
    }).on('error', reject)
  })
}
