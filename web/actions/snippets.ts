import { call } from './call.ts'

/** Texts that one keeps to use again. Nothing is shown before its event has come. */

export async function createSnippet(title: string, content: string): Promise<void> {
  await call('POST', '/saved_snippets', { title, content })
}

export async function changeSnippet(id: number, title: string, content: string): Promise<void> {
  await call('PATCH', `/saved_snippets/${id}`, { title, content })
}

export async function deleteSnippet(id: number): Promise<void> {
  await call('DELETE', `/saved_snippets/${id}`)
}
