/**
 * Has the organizations of this server mailed to an address that has accounts there. `state`: comes back in links of the mail. Returns whether
 * the mail was sent.
 */
export async function mailOrganizations(email: string, state: string): Promise<boolean> {
  const { ok } = await fetch('/find', {
    method: 'POST',
    headers: { 'Accept-Language': document.documentElement.lang },
    body: new URLSearchParams({ email, state }),
  })
  return ok
}
