const { SITE, EMAIL, PASSWORD } = process.env
const response = await fetch(`${SITE}/api/v1/fetch_api_key`, {
  method: 'POST',
  body: new URLSearchParams({ username: EMAIL, password: PASSWORD }),
})
const { api_key, msg } = await response.json()
console.log(api_key ?? msg)
