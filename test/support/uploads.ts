import type { ApiResponse } from './api.ts'
import { askWorker } from './api.ts'
import { requireDeclaredAnswer } from './declared-answers.ts'
import { expectSuccess, type TestRealm, type TestUser } from './factories.ts'
import { fromJson } from './json.ts'

export interface TestFile {
  readonly name?: string
  readonly type?: string
  readonly content?: BlobPart
}

export function authorization({ email, apiKey }: TestUser): Record<string, string> {
  return { Authorization: `Basic ${btoa(`${email}:${apiKey}`)}` }
}

/** Posts files as a browser does. `fields` come before the files. */
export async function postFiles(
  user: TestUser,
  path: string,
  files: readonly TestFile[],
  fields: Record<string, string> = {},
): Promise<ApiResponse> {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  files.forEach(({ name = 'notes.txt', type = 'text/plain', content = 'some notes' }, index) => {
    form.append(`file-${index}`, new File([content], name, { type }))
  })
  return postBody(user, path, form)
}

export async function postBody(
  user: TestUser,
  path: string,
  body: BodyInit,
  headers: Record<string, string> = {},
): Promise<ApiResponse> {
  const response = await askWorker(
    new Request(`http://${user.api.host}/api/v1${path}`, {
      method: 'POST',
      headers: { ...authorization(user), ...headers },
      body,
    }),
  )
  const answer = fromJson(await response.text())
  requireDeclaredAnswer('POST', path, response.status, answer)
  return { status: response.status, headers: response.headers, body: answer }
}

/** Returns a body that runs a function before its first byte, when the server has read the request's headers. */
export function bodyAfter(happens: () => void, content: string): ReadableStream<Uint8Array> {
  return new ReadableStream(
    {
      // A body as a byte stream, like bodies from the network.
      type: 'bytes',
      pull(controller) {
        happens()
        controller.enqueue(new TextEncoder().encode(content))
        controller.close()
      },
    },
    // The stream produces nothing before it is read.
    { highWaterMark: 0 },
  )
}

/** Uploads one file; returns its URL. */
export async function upload(user: TestUser, file: TestFile = {}): Promise<string> {
  return expectSuccess(await postFiles(user, '/user_uploads', [file])).url
}

/** Fetches a path of the organization's host, outside the API. */
export function fetchPath(
  realm: Pick<TestRealm, 'host'>,
  path: string,
  user?: TestUser,
  init: RequestInit = {},
): Promise<Response> {
  return askWorker(
    new Request(`http://${realm.host}${path}`, {
      ...init,
      headers: { ...(user ? authorization(user) : {}), ...(init.headers as Record<string, string>) },
      redirect: 'manual',
    }),
  )
}

/** Returns the status of reading a file, without its bytes. */
export async function readStatus(realm: TestRealm, path: string, user?: TestUser): Promise<number> {
  const response = await fetchPath(realm, path, user)
  await response.arrayBuffer()
  return response.status
}

/** Returns the key in R2 of a file by its path, `/user_uploads/…`: all but its name. */
export function uploadKey(path: string): string {
  return path.split('/').slice(1, 5).join('/')
}
