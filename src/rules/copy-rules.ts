import { ApiError, UnauthorizedError } from '../core/errors.ts'
import type { CopyFacts } from '../core/realm-transaction.ts'

interface CalledOperation {
  readonly madeInCopies?: true
  readonly method?: string
  readonly command: { readonly reads?: true | undefined }
}

/** The refusal of whatever would change a copy. */
class ReadOnlyCopyError extends ApiError {
  constructor() {
    super('READ_ONLY_COPY', 'This is a copy of a backup: it can be read, and nothing in it can be changed.')
  }
}

/** @throws ReadOnlyCopyError for an operation that changes something */
export function requireMadeInCopies({ madeInCopies, method, command }: CalledOperation): void {
  if (command.reads || method === 'GET' || madeInCopies) return
  throw new ReadOnlyCopyError()
}

/** @throws UnauthorizedError for everybody but the owners of the organization when the copy was made */
export function requireMayEnterCopy({ owners }: CopyFacts, userId: number): void {
  if (!owners.includes(userId)) throw new UnauthorizedError('Account is deactivated', 'USER_DEACTIVATED')
}
