import { FinalFailure } from './final-failure.ts'

/** Nobody has the address, says who takes mail for it: it will not be delivered there however often it is tried. */
export class RefusedAddressFailure extends FinalFailure {}
