import { call } from './call.ts'

/** Texts saved for repeated use. Changes are shown when their events have come. */

export async function createSnippet(title: string, content: string): Promise<void> {
  await call('POST', '/saved_snippets', { title, content })
}

export async function changeSnippet(id: number, title: string, content: string): Promise<void> {
  await call('PATCH', `/saved_snippets/${id}`, { title, content })
}

export async function deleteSnippet(id: number): Promise<void> {
  await call('DELETE', `/saved_snippets/${id}`)
}
