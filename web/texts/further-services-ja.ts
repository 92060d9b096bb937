import {
  APPS_SCRIPT,
  BEARER_JSON,
  BEARER_YAML,
  DATADOG,
  NAGIOS,
  NOTIFIER,
  TOPIC_CONTENT,
  TOPIC_YAML,
  ZABBIX_PARAMETERS,
  ZABBIX_SCRIPT,
  ZENDESK,
} from './service-codes.ts'
import type { ServiceGuides } from './service-guide.ts'

/** Japanese texts about further services. */
export const furtherServicesJa: ServiceGuides = {
  asana: {
    about: 'プロジェクトのタスクの変更（ID とリンク）。',
    steps: [
      'Asana の API `POST https://app.asana.com/api/1.0/webhooks` で Webhook を作成します（画面にはフォームがありません）。',
      '`resource` にプロジェクトの ID、`target` にアドレスを指定します。',
      'Asana がシークレットを送り、ボットがダイレクトメッセージで知らせます。',
    ],
    secret: 'Asana が一度だけ送り、ボットが知らせるシークレット',
  },
  aws_sns: {
    about: 'トピックの通知と CloudWatch のアラーム。',
    steps: [
      'トピックで Create subscription を選び、プロトコルを HTTPS にします。',
      'Endpoint にアドレスを入力し、raw message delivery はオフのまま作成します。',
      '届いたメッセージのリンクを開くと、購読が確認されます。',
    ],
  },
  azuredevops: {
    about: 'プッシュ、プルリクエスト、ビルド、リリース、作業項目。',
    steps: [
      'プロジェクトで Project settings → Service hooks → Create subscription → Web Hooks を開きます。',
      'イベントとフィルターを選びます。',
      'URL にアドレスを入力し、Finish を押します。',
    ],
    secret: 'サブスクリプションの Basic authentication password 欄',
  },
  bitbucket3: {
    about: 'Bitbucket Data Center と Server のプッシュ、プルリクエスト、コメント。',
    steps: [
      'リポジトリで Repository settings → Webhooks → Create webhook を開きます。',
      '名前を入力し、URL にアドレスを入力します。',
      'イベントを選び、Create を押します。',
    ],
    secret: 'Webhook の Secret 欄',
  },
  clickup: {
    about: 'タスクの変更（ID とリンク）と、オートメーションが知らせるタスク。',
    steps: [
      '一つのリストには、アクション Call webhook のオートメーションを追加し、URL にアドレスを入力します。',
      'ワークスペース全体には、ClickUp の API `POST https://api.clickup.com/api/v2/team/TEAM/webhook` で、`endpoint` をアドレスにした Webhook を作成します。',
      'イベントを選びます。',
    ],
    secret: 'ClickUp の API の応答にある `secret`',
  },
  datadog: {
    about: '警告・復旧したモニターと、イベント。',
    steps: [
      'Integrations → Webhooks → New を開き、URL にアドレスを入力します。',
      `Payload に次を入力します：${DATADOG}`,
      'モニターのメッセージに、Webhook の名前で `@webhook-NAME` と書きます。',
    ],
    secret: `Webhook の Custom Headers：${BEARER_JSON}`,
  },
  freshdesk: {
    about: '作成・変更・返信されたチケット。',
    steps: [
      'Admin → Workflows → Automations を開き、新しいチケットまたは更新のルールを作成します。',
      'アクションに Trigger webhook を選び、POST、URL にアドレス、形式に JSON を指定します。',
      'チケットの項目を含む簡易コンテンツを選び、保存します。',
    ],
    secret: 'Requires authentication を選ぶと現れる、アクションのパスワード',
  },
  google_calendar: {
    about: 'スクリプトが送るカレンダーの予定と、変更があったという Google の通知。',
    steps: [
      'script.google.com で、Calendar サービスを使うスクリプトと、カレンダーのトリガーを作成します。',
      `変更された予定を次のように送らせます：${APPS_SCRIPT}`,
      'または Google の API の `events.watch` で、`address` をアドレスにしたチャネルを作成します。',
    ],
    secret: 'チャネルの `token`、またはスクリプトのヘッダー `X-Goog-Channel-Token`',
  },
  heroku: {
    about: 'アプリのリリース、ビルド、その他の変更。',
    steps: [
      'アプリで More → View webhooks → Create Webhook を開きます。',
      '名前を入力し、Payload URL にアドレスを入力します。',
      'イベントを選び、Add Webhook を押します。',
    ],
    secret: 'Webhook の Secret 欄',
  },
  homeassistant: {
    about: 'オートメーションが知らせること。',
    steps: [
      `\`configuration.yaml\` の \`notify:\` の下に ${NOTIFIER} と、\`resource\` にアドレスを書きます。`,
      `その下の \`data:\` と ${TOPIC_YAML} でトピックを選びます。`,
      'Home Assistant を再起動し、オートメーションでアクション `notify.chat` を使います。',
    ],
    secret: `その項目の \`headers:\` に書く ${BEARER_YAML}`,
  },
  hubspot: {
    about: 'コンタクト、会社、取引、チケットの変更。',
    steps: [
      '非公開アプリで Webhooks を開き、Target URL にアドレスを入力します。',
      'Create subscription を押し、オブジェクトとイベントを選びます。',
      'サブスクリプションを有効にし、アプリを保存します。',
    ],
    secret: 'Auth にある、アプリの Client secret',
  },
  ifttt: {
    about: 'アプレットが知らせること。',
    steps: [
      '好きなトリガーと、アクション Webhooks → Make a web request のアプレットを作成します。',
      'URL にアドレスを入力し、POST と application/json を選びます。',
      `Body に次を入力します：${TOPIC_CONTENT}`,
    ],
  },
  intercom: {
    about: '会話、コンタクト、チケット。',
    steps: [
      'Developer Hub でアプリを作成し、Configure → Webhooks を開きます。',
      'endpoint URL にアドレスを入力します。',
      'topic を選び、保存します。',
    ],
    secret: 'Basic information にある、アプリの Client secret',
  },
  jenkins: {
    about: 'ビルドの開始と終了。',
    steps: [
      'プラグイン Notification をインストールします。',
      'ジョブの Job Notifications で Add Endpoint を押し、形式を JSON、プロトコルを HTTP にします。',
      'URL にアドレスを入力し、All Events を選んで保存します。',
    ],
  },
  nagios: {
    about: 'ホストとサービスの障害と復旧（Icinga と Naemon も可）。',
    steps: [
      `サービス用のコマンドを定義します：${NAGIOS}`,
      'ホスト用に、サービスの値の代わりに `HOSTSTATE` と `HOSTOUTPUT` を使うコマンドも定義します。',
      '連絡先で `service_notification_commands` と `host_notification_commands` に指定します。',
    ],
  },
  newrelic: {
    about: '発生・確認・解決した Issue。',
    steps: [
      'Alerts → Destinations → Webhook を開き、Endpoint URL にアドレスを入力します。',
      'Workflow に、その宛先でチャネル Webhook を追加します。',
      '既定の内容のまま、Workflow を有効にします。',
    ],
    secret: '宛先の Authentication のパスワードまたは bearer token',
  },
  notion: {
    about: 'ページ、データベース、コメントの変更（リンク）と、オートメーションが知らせるページ。',
    steps: [
      'データベースに、アクション Send webhook のオートメーションを追加し、URL にアドレスを入力します。',
      'または notion.so/my-integrations でインテグレーションの Webhooks を開き、アドレスで購読を作成します。',
      'Notion がトークンを送り、ボットがダイレクトメッセージで知らせるので、Notion に入力します。',
    ],
    secret: 'ボットが知らせたトークン',
  },
  opsgenie: {
    about: 'アラートと、その対応。',
    steps: [
      'Settings → Integrations → Add integration → Webhook を開きます。',
      'Webhook URL にアドレスを入力し、Add alert description と Add alert details をオンにします。',
      'アクションを選び、インテグレーションをオンにします。',
    ],
    secret: `インテグレーションのヘッダー ${BEARER_YAML}`,
  },
  pingdom: {
    about: '停止・復旧したチェック。',
    steps: [
      'Integrations → Add integration → Webhook を開きます。',
      '名前を入力し、URL にアドレスを入力します。',
      'チェックでインテグレーションを選びます。',
    ],
  },
  redmine: {
    about: '作成・変更・削除されたチケット。',
    steps: [
      'Redmine 自身の Webhook では、個人設定 → Webhooks → 新しい Webhook を開きます。',
      'プラグイン redmine_webhook では、プロジェクトの 設定 → WebHook を開きます。',
      'URL にアドレスを入力し、保存します。',
    ],
    secret: 'Redmine 自身の Webhook の Secret 欄',
  },
  rss: {
    about: 'フィードの新しい記事（JSON で送るサービスを使います）。',
    steps: [
      'RSS.app や Superfeedr などのサービスにフィードを追加します。',
      'Webhook にアドレスを入力し、形式を JSON にします。',
      'または、自分のスクリプトから新しい記事の JSON Feed を送ります。',
    ],
    secret: '`X-Hub-Signature-256` で署名するサービスのシークレット',
  },
  sonarqube: {
    about: 'プロジェクトの Quality Gate。',
    steps: [
      'Project Settings → Webhooks、または全プロジェクトには Administration → Configuration → Webhooks を開きます。',
      'Create を押し、名前を入力し、URL にアドレスを入力します。',
      '保存すると、次の分析から通知されます。',
    ],
    secret: 'Webhook の Secret 欄',
  },
  splunk: {
    about: 'アラートと、その最初の結果。',
    steps: [
      '検索をアラートとして保存するか、既存のものを編集します。',
      'Trigger Actions に Webhook を追加し、URL にアドレスを入力します。',
      'アラートを保存します。',
    ],
  },
  statuspage: {
    about: 'ステータスページの障害、メンテナンス、コンポーネント。',
    steps: [
      'ステータスページで Subscribe to updates を押し、Webhook を選びます。',
      'アドレスと、自分のメールアドレスを入力します。',
      'Subscribe を押します。',
    ],
  },
  teamcity: {
    about: 'ビルドの開始と終了。',
    steps: [
      'ルートプロジェクトのパラメーターで `teamcity.internal.webhooks.enable` を `true`、`teamcity.internal.webhooks.url` をアドレスにします。',
      'プロジェクトで `teamcity.internal.webhooks.events` を `BUILD_STARTED;BUILD_FINISHED;BUILD_INTERRUPTED` にします。',
      'またはプラグイン tcWebHooks をインストールし、プロジェクトの WebHooks にアドレスを JSON 形式で追加します。',
    ],
    secret: '`teamcity.internal.webhooks.password`（`teamcity.internal.webhooks.username` は任意）',
  },
  travis: {
    about: 'ブランチとプルリクエストのビルド。',
    steps: [
      '`.travis.yml` の `notifications:` の下に `webhooks:` を追加します。',
      'その下にアドレスを書きます（公開リポジトリでは `travis encrypt` で暗号化します）。',
      'ファイルをコミットします。',
    ],
  },
  trello: {
    about: 'ボードのカード、リスト、メンバー。',
    steps: [
      'trello.com/power-ups/admin で API キーとトークンを作成します。',
      '`https://api.trello.com/1/webhooks` に `key`、`token`、`idModel` にボードの ID、`callbackURL` にアドレスを送ります。',
      'Trello がアドレスを確認し、Webhook を返します。',
    ],
    secret: 'API キーの横にある Secret',
  },
  zabbix: {
    about: '障害の発生と終了。',
    steps: [
      `Alerts → Media types → Create media type を開き、種類を Webhook、パラメーターを次のようにします：${ZABBIX_PARAMETERS}`,
      `スクリプトに次を入力します：${ZABBIX_SCRIPT}`,
      'メディアタイプをユーザーに割り当て、通知するアクションを作成します。',
    ],
  },
  zapier: {
    about: 'Zap が知らせること。',
    steps: [
      '好きなトリガーと、アクション Webhooks by Zapier → POST の Zap を作成します。',
      'URL にアドレス、Payload Type に JSON を指定します。',
      'Data に `topic` と、Markdown の `content` を入力します。',
    ],
    secret: `アクションの Headers：${BEARER_YAML}`,
  },
  zendesk: {
    about: '作成・変更・返信されたチケット。',
    steps: [
      'Admin Center → Apps and integrations → Webhooks → Create webhook を開き、Trigger or automation を選びます。',
      'Endpoint URL にアドレスを入力し、POST と JSON を選びます。',
      `トリガーにアクション Notify active webhook を追加し、内容を次のようにします：${ZENDESK}`,
    ],
    secret: 'Zendesk が Webhook に表示する Signing secret',
  },
}
