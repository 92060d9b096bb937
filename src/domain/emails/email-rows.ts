import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { Sql } from '../../core/sql.ts'

/** A mail in plain text. */
export interface Email {
  readonly id: number
  readonly recipient: string
  readonly subject: string
  readonly body: string
  /** UNIX seconds. */
  readonly createdAt: number
  /** Null until it was handed over. */
  readonly sentAt: number | null
}

interface EmailRow {
  id: number
  recipient: string
  subject: string
  body: string
  created_at: number
  sent_at: number | null
}

/** The job that hands mail over. */
export const SEND_EMAILS = 'send-emails'

/** Mail is part of the change that causes it: it goes out after the commit, and until it has gone. */
export function queueEmail(tx: RealmTransaction, email: Pick<Email, 'recipient' | 'subject' | 'body'>): void {
  tx.sql.run(
    `INSERT INTO email (recipient, subject, body, created_at) VALUES (?, ?, ?, ?)`,
    email.recipient,
    email.subject,
    email.body,
    Math.floor(tx.now),
  )
  tx.schedule({ kind: SEND_EMAILS, key: '', dueAt: tx.now })
}

export function listUnsentEmails(sql: Sql, limit: number): Email[] {
  return sql
    .all<EmailRow>(`SELECT * FROM email WHERE sent_at IS NULL ORDER BY id LIMIT ?`, limit)
    .map(emailOf)
}

/** Everything that is kept, newest first. */
export function listEmails(sql: Sql): Email[] {
  return sql.all<EmailRow>(`SELECT * FROM email ORDER BY id DESC LIMIT 200`).map(emailOf)
}

export function markEmailSent(sql: Sql, id: number, now: number): void {
  sql.run(`UPDATE email SET sent_at = ? WHERE id = ?`, Math.floor(now), id)
}

export function deleteEmail(sql: Sql, id: number): void {
  sql.run(`DELETE FROM email WHERE id = ?`, id)
}

function emailOf(row: EmailRow): Email {
  return {
    id: row.id,
    recipient: row.recipient,
    subject: row.subject,
    body: row.body,
    createdAt: row.created_at,
    sentAt: row.sent_at,
  }
}
