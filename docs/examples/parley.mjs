const { SITE, EMAIL, KEY } = process.env

/** Calls an operation as the account of KEY. Values other than text are sent as JSON. */
export async function call(method, path, fields = {}) {
  const texts = Object.entries(fields).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ])
  const query = new URLSearchParams(texts)
  const response = await fetch(`${SITE}/api/v1${path}${method === 'GET' ? `?${query}` : ''}`, {
    method,
    headers: { Authorization: `Basic ${btoa(`${EMAIL}:${KEY}`)}` },
    body: method === 'GET' ? undefined : query,
  })
  const answer = await response.json()
  if (!response.ok) throw new Error(`${answer.code}: ${answer.msg}`)
  return answer
}
