import { mailedLink, type Page, postForm } from './pages.ts'

/** Joins by an invitation link: the address gets a mail with a link to the form. Returns the first refusal, or the last page. */
export async function joinByLink(
  host: string,
  link: string,
  { email, ...account }: { readonly email: string; readonly full_name: string; readonly password: string },
  ip?: string,
): Promise<Page> {
  const asked = await postForm(link, { email }, ip)
  return asked.status === 200 ? postForm(await mailedLink(host, email), account, ip) : asked
}
