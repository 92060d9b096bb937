import type { Environment } from './http/environment.ts'
import { buildRouter } from './http/router.ts'

export { RealmObject } from './realm/realm-object.ts'

const router = buildRouter()

export default {
  fetch: (request, env, context) => router.fetch(request, env, context),
} satisfies ExportedHandler<Environment>
