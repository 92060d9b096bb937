import { futurePage, keepPage } from '../open-page.ts'

/** A member beside the owner. */
export const OTHER = 'Bea Baker'

/** A browser is slow on a machine that has other work. */
export const TIME = { timeout: 120_000 }

/** The organization of all tests in this folder, each of which has topics of its own. Starting a server takes as long as many of them. */
const organization = futurePage()
export const { server, browsers } = organization

/** Starts the organization, for all tests that a file imports. */
export function useOrganization(): void {
  keepPage(organization, [OTHER])
}
