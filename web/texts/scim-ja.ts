import type { scimEn } from './scim-en.ts'

/** Japanese texts of provisioning. */
export const scimJa: typeof scimEn = {
  hint: 'Okta や Microsoft Entra ID などの ID プロバイダーから、SCIM 2.0 でアカウントとグループを管理します。',
  address: 'SCIM ベース URL',
  token: 'トークン',
  none: 'トークンはありません。プロビジョニングはオフです。',
  shownOnce: 'このトークンを今すぐコピーしてください。再表示はできません。',
  make: 'トークンを作成',
  replace: 'トークンを置き換え',
  replaceQuestion: 'トークンを置き換えますか？',
  replaceHint: '現在のトークンは 7 日間使えます。その間に ID プロバイダーの設定を更新してください。',
  replaceUnusedHint: 'まだ使われていないため、すぐに無効になります。',
  madeBy: (name, ago) => `${ago}に ${name} が作成`,
  used: (ago) => `最終使用：${ago}`,
  unused: '未使用',
  former: (day) => `以前のトークンは ${day} まで有効です。`,
  formerUsed: (ago) => `最終使用：${ago}`,
  endFormer: '以前のトークンを今すぐ無効にする',
  endFormerQuestion: '以前のトークンを無効にしますか？',
  endFormerHint: 'まだこのトークンを使っている ID プロバイダーは接続できなくなります。',
  remove: 'プロビジョニングをオフにする',
  removeQuestion: 'プロビジョニングをオフにしますか？',
  removeHint: 'トークンは使えなくなります。アカウントとグループはそのまま残ります。',
  owners: 'オーナーの管理を許可',
  ownersHint:
    'ID プロバイダーがオーナーを追加・再開し、その役割とメールアドレスを変更できます。最後のオーナーを停止することはできません。',
}
