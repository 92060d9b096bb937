/** Composes the report of a mail server that could not deliver a mail (RFC 3464). */
export function deliveryReport({
  action = 'failed',
  status,
}: {
  readonly action?: string
  readonly status: string
}): string {
  return [
    'From: MAILER-DAEMON@far.example',
    'Subject: Undelivered Mail Returned to Sender',
    'Auto-Submitted: auto-replied',
    'MIME-Version: 1.0',
    'Content-Type: multipart/report; report-type=delivery-status; boundary="b"',
    '',
    '--b',
    'Content-Type: text/plain; charset=us-ascii',
    '',
    'I am sorry.',
    '',
    '--b',
    'Content-Type: message/delivery-status',
    '',
    'Reporting-MTA: dns; far.example',
    '',
    'Final-Recipient: rfc822; ann@far.example',
    `Action: ${action}`,
    `Status: ${status}`,
    `Diagnostic-Code: smtp; 550 ${status} No such user`,
    '',
    '--b',
    'Content-Type: text/rfc822-headers',
    '',
    'Subject: Direct messages with Ben',
    '',
    '--b--',
    '',
  ].join('\r\n')
}
