import type { Endpoint } from '../../api/define-endpoint.ts'
import { RateLimitHitError } from '../../core/errors.ts'
import type { Environment } from '../environment.ts'
import { countedNetwork, limitsOfNetworks, RequestsOfNetworks } from '../requests-of-networks.ts'
import { respondError } from '../respond.ts'
import { jsonAnswer } from '../security-headers.ts'
import { openApiDocument } from './openapi.ts'

/** No organization is asked here, which counts other requests without credentials. */
const requests = new RequestsOfNetworks()

/** Returns how the document of these endpoints is served: it is made once, when it is first asked for. */
export function serveOpenApi(endpoints: readonly Endpoint[]) {
  let document: string | undefined
  return (request: Request, env: Environment): Response => {
    const network = countedNetwork(request, env)
    if (network !== undefined) {
      const wait = requests.count(network, limitsOfNetworks(request, env), Date.now() / 1_000)
      if (wait > 0) return respondError(new RateLimitHitError(wait))
    }
    document ??= JSON.stringify(openApiDocument(endpoints))
    return jsonAnswer(document, 200)
  }
}
