import { BadRequestError } from '../../core/errors.ts'
import { isSorting, listOrganizations } from '../../store/d1/organizations.ts'
import type { Environment } from '../request/environment.ts'
import { respondFailure, respondSuccess } from '../request/respond.ts'
import { hasOperatorToken } from './operator-token.ts'

const SORT = 'sort'

/**
 * GET /setup/organizations: all organizations of the deployment with some figures, for callers with its token; for others that path does
 * not exist. `sort`: a column, with a `-` before it for downwards.
 */
export async function respondOrganizations(
  request: Request,
  env: Environment,
): Promise<Response | undefined> {
  if (!hasOperatorToken(request, env)) return undefined
  try {
    const sorting = new URL(request.url).searchParams.get(SORT) ?? 'host'
    if (!isSorting(sorting)) throw new BadRequestError(`Invalid ${SORT}`)
    return respondSuccess({ organizations: await listOrganizations(env.DB, sorting, Date.now() / 1_000) })
  } catch (error) {
    return respondFailure('list-organizations', error)
  }
}
