import { furtherServicesJa } from './further-services-ja.ts'
import type { ServiceGuides } from './service-guide.ts'

/** Japanese texts about services, by the names of their integrations. */
export const servicesJa: ServiceGuides = {
  ...furtherServicesJa,
  alertmanager: {
    about: 'Prometheus のアラートの発生と解消。ラベルごとにまとめて表示します。',
    steps: [
      '`alertmanager.yml` に `webhook_configs` を持つ receiver を追加し、`url` にこの URL を指定します。',
      '`route` にその receiver を指定します。',
      'Alertmanager を再読み込みします。',
    ],
  },
  bitbucket2: {
    about: 'Bitbucket Cloud のプッシュ、プルリクエスト、課題、コメント、コミットのステータス。',
    steps: [
      'リポジトリで Repository settings → Webhooks → Add webhook を開きます。',
      'タイトルを入力し、URL にこの URL を入力します。',
      'トリガーを選んで保存します。',
    ],
    secret: 'Webhook の Secret 欄',
  },
  circleci: {
    about: '終了したワークフローとジョブ。',
    steps: [
      'プロジェクトで Project Settings → Webhooks → Add Webhook を開きます。',
      '名前を入力し、Receiver URL にこの URL を入力します。',
      'イベントを選んで保存します。',
    ],
    secret: 'Webhook の Secret token 欄',
  },
  cloudflare: {
    about: 'ヘルスチェック、証明書、攻撃、Workers のビルドなど、あらゆる種類の通知。',
    steps: [
      'アカウントで Notifications → Destinations → Webhooks → Create を開きます。',
      '名前を入力し、URL にこの URL を入力します。',
      '通知を追加し、送信先にこの Webhook を選びます。',
    ],
    secret: 'Webhook の Secret 欄',
  },
  discord_incoming: {
    about: 'Discord に通知できるプログラムのメッセージと埋め込み。',
    steps: [
      'プログラムで、通知方法に Discord を選びます。',
      'Webhook URL にこの URL を入力します。Discord の URL しか受け付けない場合は、ここでその形式を選んでください。',
      '通知する内容を選んで保存します。',
    ],
  },
  forgejo: {
    about: 'プッシュ、ブランチ、プルリクエスト、イシュー、コメント、リリース。',
    steps: [
      'リポジトリで Settings → Webhooks → Add webhook → Forgejo を開きます。',
      'Target URL にこの URL を入力し、POST と application/json を選びます。',
      'イベントを選び、Add webhook を押します。',
    ],
    secret: 'Webhook の Secret 欄',
  },
  gitea: {
    about: 'プッシュ、ブランチ、プルリクエスト、イシュー、コメント、リリース。',
    steps: [
      'リポジトリで Settings → Webhooks → Add webhook → Gitea を開きます。',
      'Target URL にこの URL を入力し、POST と application/json を選びます。',
      'イベントを選び、Add webhook を押します。',
    ],
    secret: 'Webhook の Secret 欄',
  },
  github: {
    about:
      'リポジトリまたは Organization で起きるすべてのこと：コード、レビュー、Issue、チェック、アラート。',
    steps: [
      'リポジトリまたは Organization で Settings → Webhooks → Add webhook を開きます。',
      'Payload URL にこの URL を入力し、application/json を選びます。',
      'イベントを選び、Add webhook を押します。',
    ],
    secret: 'Webhook の Secret 欄',
  },
  gitlab: {
    about:
      'プロジェクトまたはグループのプッシュ、マージリクエスト、イシュー、コメント、パイプライン、リリースなど。',
    steps: [
      'プロジェクトまたはグループで Settings → Webhooks → Add new webhook を開きます。',
      'URL にこの URL を入力します。',
      'トリガーを選び、Add webhook を押します。',
    ],
    secret: 'Webhook の Secret token 欄',
  },
  gogs: {
    about: 'プッシュ、ブランチ、プルリクエスト、イシュー、コメント、リリース。',
    steps: [
      'リポジトリで Settings → Webhooks → Add a new webhook → Gogs を開きます。',
      'Payload URL にこの URL を入力し、application/json を選びます。',
      'イベントを選び、Add Webhook を押します。',
    ],
    secret: 'Webhook の Secret 欄',
  },
  grafana: {
    about: 'アラートの発生と解消を、ラベルと値とともに表示。Grafana 7 にも対応しています。',
    steps: [
      'Alerting → Contact points（Grafana 13 以降は Notification configuration の中）を開き、Add contact point を押して、連携に Webhook を選びます。',
      'URL にこの URL を入力し、Test を押してから保存します。',
      '通知ポリシーでこのコンタクトポイントを選びます。',
    ],
    secret:
      'コンタクトポイントの HMAC signature → Secret。タイムスタンプのヘッダーは `X-Grafana-Alerting-Timestamp`',
  },
  jira: {
    about: '課題、コメント、スプリント、バージョン。',
    steps: [
      '管理者として Settings → System → WebHooks → Create a WebHook を開きます。',
      '名前を入力し、URL にこの URL を入力します。',
      'イベントを選び、Create を押します。',
    ],
    secret: 'Webhook の Secret 欄',
  },
  json: {
    about: '任意の JSON をそのまま投稿。プログラムが送る内容をまず確認したいときに便利です。',
    steps: [
      'プログラムで、Webhook URL にこの URL を入力し、メソッドに POST を選びます。',
      'コンテンツタイプは `application/json`、本文はオブジェクトまたは配列にします。',
      '一度送信して、メッセージを確認します。',
    ],
  },
  linear: {
    about: 'イシュー、コメント、プロジェクトとその更新、サイクル。',
    steps: [
      'Settings → API → Webhooks → New webhook を開きます。',
      'ラベルを入力し、URL にこの URL を入力します。',
      'チームとデータ変更イベントを選んで作成します。',
    ],
    secret: 'Linear が Webhook とともに表示する Signing secret',
  },
  netlify: {
    about: 'デプロイの開始、成功、失敗と、訪問者が送信したフォーム。',
    steps: [
      'プロジェクトで Project configuration → Notifications → Emails and webhooks を開きます。',
      'Add notification → HTTP POST request を押します。',
      'イベントを選び、URL to notify にこの URL を入力して保存します。',
    ],
    secret: '通知の JWS secret token 欄',
  },
  pagerduty: {
    about: 'インシデント：担当者、対応状況、結果。',
    steps: [
      'Integrations → Generic Webhooks (v3) → New Webhook を開きます。',
      'Webhook URL にこの URL を入力し、対象を選びます。',
      'イベントを選び、Add Webhook を押します。',
    ],
    secret: 'Webhook の追加時に PagerDuty が一度だけ表示するシークレット',
  },
  sentry: {
    about: 'イシュー、エラー、コメント、およびイシューやメトリクスのアラート。',
    steps: [
      'Settings → Custom Integrations → Create New Integration → Internal Integration を開きます。',
      'Webhook URL にこの URL を入力し、Alert Rule Action をオンにして、Issue & Event に Read を付与し、Webhook を選んで保存します。',
      'アラートについては、Alert Rules でこの連携をアクションとして選びます。',
    ],
    secret: 'Sentry が連携とともに表示する Client Secret',
  },
  slack_incoming: {
    about: 'Slack に通知できるプログラムのメッセージ、ブロック、添付。',
    steps: [
      'プログラムで、通知方法に Slack を選びます。',
      'Webhook URL にこの URL を入力します。Slack の URL しか受け付けない場合は、ここでその形式を選んでください。',
      '通知する内容を選んで保存します。',
    ],
  },
  stripe: {
    about: '請求、顧客、サブスクリプション、請求書、支払い、入金、不審請求の申し立て。',
    steps: [
      'Workbench → Webhooks → Create new destination を開きます。',
      'イベントを選び、種類に Webhook endpoint を選びます。',
      'Endpoint URL にこの URL を入力し、Create destination を押します。',
    ],
    secret: 'Stripe が送信先とともに表示する Signing secret（`whsec_…`）',
  },
  template: {
    about: '任意のサービスの JSON を、自分で書いたテンプレートでメッセージに変換。',
    steps: [
      'サービスが送る内容を、ここのサンプルペイロードにコピーします。',
      'トピックと本文のテンプレートを書き、プレビューで確認して保存します。',
      'サービスの Webhook URL にこの URL を入力します。',
    ],
    secret: 'Standard Webhooks または `X-Hub-Signature-256` で署名するサービスの署名シークレット',
  },
  uptimerobot: {
    about: '監視対象のダウンと復旧、証明書の期限切れ。',
    steps: [
      'Integrations & API → Webhook → Add を開き、URL to notify にこの URL の末尾に `&` を付けて入力します。',
      'Send as JSON：`{"monitorFriendlyName": "*monitorFriendlyName*", "monitorURL": "*monitorURL*", "alertTypeFriendlyName": "*alertTypeFriendlyName*", "alertDetails": "*alertDetails*", "alertDateTime": "*alertDateTime*"}`',
      '監視対象でこの連携を選びます。',
    ],
  },
}
