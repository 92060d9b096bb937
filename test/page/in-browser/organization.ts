import { usePage } from '../open-page.ts'

/** A member beside the owner. */
export const OTHER = 'Bea Baker'

/** A browser is slow on a machine that has other work. */
export const TIME = { timeout: 120_000 }

/** The organization of all tests in this folder, each of which has topics of its own. Starting a server takes as long as many of them. */
export const { server, browsers } = usePage([OTHER])
