import type { BulkTexts, PermissionsTexts } from './admin-en.ts'
import { grouped } from './locale.ts'

/** Japanese texts of administration. */
export const permissionsJa: PermissionsTexts = {
  plus: '＋',
  noOneElse: 'ほかになし',
  onlyThese: '次のみ',
  find: 'メンバーまたはグループを検索',
  addTo: (permission) => `「${permission}」に追加`,
}

export const bulkJa: BulkTexts = {
  all: 'すべて選択',
  chosen: (count) => `${grouped(count)} 人を選択中`,
  choose: (name) => `${name} を選択`,
  role: '役割を変更',
  channel: 'チャンネルに追加',
  group: 'グループに追加',
  targets: { role: '新しい役割', channel: 'チャンネル', group: 'グループ' },
  change: (count) => `${grouped(count)} 人の役割を変更`,
  add: (count) => `${grouped(count)} 人を追加`,
  changed: (count) => `${grouped(count)} 人の変更を保存しました。`,
  deactivateQuestion: (count) => `${grouped(count)} 件のアカウントを停止しますか？`,
  deactivated: (count) => `${grouped(count)} 件のアカウントを停止しました。`,
  makeOwners: (count) => `${grouped(count)} 人をオーナーにしますか？`,
}
