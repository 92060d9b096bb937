import type { FrameTexts } from './frame-en.ts'

export const frameJa: FrameTexts = {
  status: {
    set: 'ステータスを設定',
    edit: 'ステータスを編集',
    clear: 'ステータスを消去',
    title: 'ステータス',
    text: '今のステータスは？',
    emoji: '絵文字を選択',
    noEmoji: '絵文字を削除',
    presets: '候補',
    names: {
      meeting: '会議中',
      commuting: '通勤中',
      sick: '病欠',
      away: '休暇中',
      remote: 'リモートワーク中',
    },
    clearAfter: '消去するタイミング',
    expiries: {
      never: '消去しない',
      half: '30 分後',
      hour: '1 時間後',
      four: '4 時間後',
      today: '今日',
      week: '今週',
    },
    expiryHint:
      'このブラウザーが消去します。その時刻に Parley を開いていない場合は、次に開いたときに消去されます。',
    until: (time) => `${time} まで`,
  },
  goInvisible: '離席中として表示',
  goVisible: 'アクティブ状態を表示',
  quiet: {
    title: '通知を一時停止',
    pauses: { half: '30 分間', hour: '1 時間', tomorrow: '明日まで' },
    schedule: '通知のスケジュール',
    scheduleHint:
      'このページの通知と音は、毎日この時間帯に停止します。ページを閉じている間もプッシュ通知は届きます。',
    daily: '毎日一時停止',
    from: '開始',
    to: '終了',
    isOn: (time) => `${time} まで一時停止中`,
    isScheduled: 'スケジュールにより一時停止中',
    resume: '通知を再開',
  },
}
