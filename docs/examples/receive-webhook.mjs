const { SITE, BOT_KEY } = process.env
const address = new URLSearchParams({ api_key: BOT_KEY, stream: 'general', topic: 'deploys' })
const response = await fetch(`${SITE}/api/v1/external/json?${address}`, {
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify({ version: '1.4.2', status: 'deployed' }),
})
console.log(await response.text())
