import { sweepRealms } from './http/deployment/sweep-realms.ts'
import { guardAttempts } from './http/failed-attempts.ts'
import { answerAfterBody } from './http/input/arriving-body.ts'
import { logRequest } from './http/log-requests.ts'
import { takeMail } from './http/mail/take-mail.ts'
import type { Environment } from './http/request/environment.ts'
import { atRoutedPath } from './http/request/request-url.ts'
import { buildRouter } from './http/router.ts'

export { HasherObject } from './hasher/hasher-object.ts'
export { RealmObject } from './realm/realm-object.ts'

const router = buildRouter()

export default {
  fetch: (request, env) =>
    atRoutedPath(request, (asked) =>
      answerAfterBody(asked.request, () =>
        logRequest(asked, env, () => guardAttempts(asked, env, () => router.serve(asked, env))),
      ),
    ),
  email: (message, env) => takeMail(message, env),
  scheduled: (_event, env) => sweepRealms(env, Date.now() / 1_000),
} satisfies ExportedHandler<Environment>
