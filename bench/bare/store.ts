interface Environment {
  readonly FILES: R2Bucket
}

/**
 * Files in R2 without anything else: a file goes there as it comes in, and is sent as it comes out. A form with JSON is read, and
 * refused.
 */
export default {
  async fetch(request, { FILES }) {
    const key = new URL(request.url).pathname
    if (request.method === 'PUT') {
      await FILES.put(key, request.body)
      return new Response()
    }
    if (request.method === 'POST') {
      for (const [, json] of new URLSearchParams(await request.text())) await new Response(json).json()
      return new Response(null, { status: 400 })
    }
    const stored = await FILES.get(key)
    return new Response(stored?.body ?? null, { status: stored ? 200 : 404 })
  },
} satisfies ExportedHandler<Environment>
