import { type Html, html } from '../../core/html.ts'

/** Returns the HTML of a mail: one column, without script, picture or anything else to fetch. */
export function mailHtml(language: string, title: string, body: Html, footer: Html): string {
  return html`<!doctype html>
<html lang="${language}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title></head>
<body style="margin:0;padding:16px;font:15px/1.5 system-ui,sans-serif;color:#222;background:#fff">
<div style="max-width:600px;margin:0 auto;overflow-wrap:anywhere">
${body}
<div style="margin-top:24px;padding-top:12px;border-top:1px solid #ddd;font-size:13px;color:#555">
${footer}
</div>
</div>
</body>
</html>
`.text
}
