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

/** Arabic texts about further services. */
export const furtherServicesAr: ServiceGuides = {
  asana: {
    about: 'تغييرات مهام مشروع، بمعرّفاتها وروابطها.',
    steps: [
      'أنشئ الـwebhook بواجهة Asana البرمجية `POST https://app.asana.com/api/1.0/webhooks`، فليس في صفحاتها نموذج لذلك.',
      'اجعل معرّف المشروع في `resource` والعنوان في `target`.',
      'ترسل Asana بعد ذلك سرّها، فيخبرك به البوت في رسالة مباشرة.',
    ],
    secret: 'السر الذي ترسله Asana مرة واحدة ويخبرك به البوت',
  },
  aws_sns: {
    about: 'إشعارات موضوع SNS وإنذارات CloudWatch.',
    steps: [
      'في موضوع SNS اختر Create subscription مع البروتوكول HTTPS.',
      'أدخل العنوان في Endpoint، من دون raw message delivery، ثم أنشئ الاشتراك.',
      'افتح الرابط الذي في الرسالة التي تصل، فهو يؤكد الاشتراك.',
    ],
  },
  azuredevops: {
    about: 'عمليات الدفع وطلبات السحب والبناء والإصدارات وعناصر العمل.',
    steps: [
      'في المشروع افتح Project settings → Service hooks → Create subscription → Web Hooks.',
      'اختر الحدث ومرشّحاته.',
      'أدخل العنوان في URL واضغط Finish.',
    ],
    secret: 'الحقل Basic authentication password في الاشتراك',
  },
  bitbucket3: {
    about: 'عمليات الدفع وطلبات السحب والتعليقات في Bitbucket Data Center وServer.',
    steps: [
      'في المستودع افتح Repository settings → Webhooks → Create webhook.',
      'أدخل اسمًا، والعنوان في URL.',
      'اختر الأحداث واضغط Create.',
    ],
    secret: 'الحقل Secret في الـwebhook',
  },
  clickup: {
    about: 'تغييرات المهام بمعرّفاتها وروابطها، والمهام التي تبلغ عنها الأتمتة.',
    steps: [
      'لقائمة واحدة أضف أتمتة بالإجراء Call webhook، والعنوان هو URL فيها.',
      'لمساحة عمل كاملة أنشئ webhook بواجهة ClickUp البرمجية `POST https://api.clickup.com/api/v2/team/TEAM/webhook` والعنوان في `endpoint`.',
      'اختر الأحداث.',
    ],
    secret: 'القيمة `secret` في جواب واجهة ClickUp البرمجية',
  },
  datadog: {
    about: 'المراقبات التي تنذر وتتعافى، والأحداث.',
    steps: [
      'افتح Integrations → Webhooks → New وأدخل العنوان في URL.',
      `أدخل في Payload: ${DATADOG}`,
      'اكتب `@webhook-NAME` باسم الـwebhook في رسالة مراقبة.',
    ],
    secret: `Custom Headers في الـwebhook: ${BEARER_JSON}`,
  },
  freshdesk: {
    about: 'التذاكر التي تُفتح أو تتغير أو يُجاب عنها.',
    steps: [
      'افتح Admin → Workflows → Automations وأنشئ قاعدة للتذاكر الجديدة أو للتحديثات.',
      'اختر الإجراء Trigger webhook مع POST، والعنوان في URL، والتنسيق JSON.',
      'اختر المحتوى البسيط مع حقول التذكرة واحفظ.',
    ],
    secret: 'كلمة مرور الإجراء بعد Requires authentication',
  },
  google_calendar: {
    about: 'أحداث تقويم يرسلها برنامج نصي، وإشعارات Google بأن شيئًا تغيّر.',
    steps: [
      'في script.google.com أنشئ برنامجًا نصيًا مع خدمة Calendar ومشغّلًا من التقويم.',
      `اجعله يرسل كل حدث يتغير: ${APPS_SCRIPT}`,
      'أو أنشئ قناة بـ`events.watch` من واجهة Google والعنوان في `address`.',
    ],
    secret: 'القيمة `token` للقناة، أو الترويسة `X-Goog-Channel-Token` في البرنامج النصي',
  },
  heroku: {
    about: 'إصدارات التطبيقات وعمليات بنائها وتغييراتها الأخرى.',
    steps: [
      'في التطبيق افتح More → View webhooks → Create Webhook.',
      'أدخل اسمًا، والعنوان في Payload URL.',
      'اختر الأحداث واضغط Add Webhook.',
    ],
    secret: 'الحقل Secret في الـwebhook',
  },
  homeassistant: {
    about: 'كل ما تبلغ عنه أتمتة.',
    steps: [
      `في \`configuration.yaml\` أضف تحت \`notify:\` ما يلي: ${NOTIFIER} والعنوان في \`resource\`.`,
      `تحته اختر الموضوع بـ\`data:\` و${TOPIC_YAML}.`,
      'أعد تشغيل Home Assistant واستخدم الإجراء `notify.chat` في أتمتة.',
    ],
    secret: `\`headers:\` في المدخلة مع ${BEARER_YAML}`,
  },
  hubspot: {
    about: 'تغييرات جهات الاتصال والشركات والصفقات والتذاكر.',
    steps: [
      'في تطبيق خاص افتح Webhooks وأدخل العنوان في Target URL.',
      'اضغط Create subscription واختر الكائنات والأحداث.',
      'فعّل الاشتراكات واحفظ التطبيق.',
    ],
    secret: 'القيمة Client secret للتطبيق تحت Auth',
  },
  ifttt: {
    about: 'كل ما يبلغ عنه أبلت.',
    steps: [
      'أنشئ أبلت بأي مشغّل، والإجراء Webhooks → Make a web request.',
      'أدخل العنوان في URL مع POST وapplication/json.',
      `أدخل في Body: ${TOPIC_CONTENT}`,
    ],
  },
  intercom: {
    about: 'المحادثات وجهات الاتصال والتذاكر.',
    steps: [
      'في Developer Hub أنشئ تطبيقًا وافتح Configure → Webhooks.',
      'أدخل العنوان في endpoint URL.',
      'اختر topics واحفظ.',
    ],
    secret: 'القيمة Client secret للتطبيق تحت Basic information',
  },
  jenkins: {
    about: 'بدء عمليات البناء ونهايتها.',
    steps: [
      'ثبّت الإضافة Notification.',
      'في مهمة، تحت Job Notifications، اضغط Add Endpoint مع التنسيق JSON والبروتوكول HTTP.',
      'أدخل العنوان في URL واختر All Events واحفظ.',
    ],
  },
  nagios: {
    about: 'مشكلات المضيفين والخدمات وتعافيها، ومن Icinga وNaemon أيضًا.',
    steps: [
      `عرّف أمرًا للخدمات: ${NAGIOS}`,
      'عرّف أمرًا آخر للمضيفين، فيه `HOSTSTATE` و`HOSTOUTPUT` بدل قيم الخدمة.',
      'سمّهما في جهة اتصال: `service_notification_commands` و`host_notification_commands`.',
    ],
  },
  newrelic: {
    about: 'المشكلات التي تُفتح ويُقَر بها وتُغلق.',
    steps: [
      'افتح Alerts → Destinations → Webhook وأدخل العنوان في Endpoint URL.',
      'في workflow أضف القناة Webhook مع هذه الوجهة.',
      'أبقِ المحتوى الافتراضي وفعّل الـworkflow.',
    ],
    secret: 'Authentication في الوجهة: كلمة المرور أو bearer token',
  },
  notion: {
    about: 'تغييرات الصفحات وقواعد البيانات والتعليقات بروابطها، والصفحات التي تبلغ عنها الأتمتة.',
    steps: [
      'في قاعدة بيانات أضف أتمتة بالإجراء Send webhook، والعنوان هو URL.',
      'أو افتح Webhooks لتكامل في notion.so/my-integrations وأنشئ اشتراكًا بالعنوان.',
      'يرسل Notion رمزًا يخبرك به البوت في رسالة مباشرة، فأدخله هناك.',
    ],
    secret: 'الرمز الذي أخبرك به البوت',
  },
  opsgenie: {
    about: 'التنبيهات وما يُفعل بشأنها.',
    steps: [
      'افتح Settings → Integrations → Add integration → Webhook.',
      'أدخل العنوان في Webhook URL وفعّل Add alert description وAdd alert details.',
      'اختر الإجراءات وفعّل التكامل.',
    ],
    secret: `ترويسة في التكامل: ${BEARER_YAML}`,
  },
  pingdom: {
    about: 'الفحوص التي تتوقف وتعود.',
    steps: [
      'افتح Integrations → Add integration → Webhook.',
      'أدخل اسمًا، والعنوان في URL.',
      'اختر التكامل في الفحوص.',
    ],
  },
  redmine: {
    about: 'المسائل التي تُفتح وتتغير وتُحذف.',
    steps: [
      'مع webhooks الخاصة بـRedmine افتح My account → Webhooks → New webhook.',
      'مع الإضافة redmine_webhook افتح Settings → WebHook في المشروع.',
      'أدخل العنوان في URL واحفظ.',
    ],
    secret: 'الحقل Secret في webhooks الخاصة بـRedmine',
  },
  rss: {
    about: 'المدخلات الجديدة في الخلاصات، عبر خدمة ترسلها بصيغة JSON.',
    steps: [
      'أضف الخلاصة في خدمة مثل RSS.app أو Superfeedr.',
      'أدخل العنوان كـwebhook لها مع التنسيق JSON.',
      'أو اجعل برنامجًا نصيًا يرسل JSON Feed بالمدخلات الجديدة.',
    ],
    secret: 'سر خدمة توقّع بـ`X-Hub-Signature-256`',
  },
  sonarqube: {
    about: 'بوابات الجودة للمشاريع.',
    steps: [
      'افتح Project Settings → Webhooks، أو Administration → Configuration → Webhooks لكل المشاريع.',
      'اضغط Create وأدخل اسمًا، والعنوان في URL.',
      'احفظ، فيُبلَّغ عن التحليل التالي.',
    ],
    secret: 'الحقل Secret في الـwebhook',
  },
  splunk: {
    about: 'التنبيهات، كل واحد مع نتيجته الأولى.',
    steps: [
      'احفظ بحثًا كتنبيه أو عدّل تنبيهًا.',
      'تحت Trigger Actions أضف Webhook وأدخل العنوان في URL.',
      'احفظ التنبيه.',
    ],
  },
  statuspage: {
    about: 'حوادث صفحة حالة وصيانتها ومكوّناتها.',
    steps: [
      'في صفحة الحالة اضغط Subscribe to updates واختر الـwebhook.',
      'أدخل العنوان وبريدك.',
      'اضغط Subscribe.',
    ],
  },
  teamcity: {
    about: 'بدء عمليات البناء ونهايتها.',
    steps: [
      'في معاملات المشروع الجذر اجعل `teamcity.internal.webhooks.enable` مساويًا `true` و`teamcity.internal.webhooks.url` مساويًا العنوان.',
      'في مشروع اجعل `teamcity.internal.webhooks.events` مساويًا `BUILD_STARTED;BUILD_FINISHED;BUILD_INTERRUPTED`.',
      'أو ثبّت الإضافة tcWebHooks وأضف العنوان تحت WebHooks في مشروع مع التنسيق JSON.',
    ],
    secret: '`teamcity.internal.webhooks.password` مع أي `teamcity.internal.webhooks.username`',
  },
  travis: {
    about: 'بناء الفروع وطلبات السحب.',
    steps: [
      'في `.travis.yml` أضف `webhooks:` تحت `notifications:`.',
      'تحته اكتب العنوان، مشفّرًا بـ`travis encrypt` إن كان المستودع عامًا.',
      'أودع الملف.',
    ],
  },
  trello: {
    about: 'بطاقات لوحة وقوائمها وأعضاؤها.',
    steps: [
      'أنشئ مفتاح API ورمزًا في trello.com/power-ups/admin.',
      'أرسل إلى `https://api.trello.com/1/webhooks` القيم `key` و`token` ومعرّف اللوحة في `idModel` والعنوان في `callbackURL`.',
      'يسأل Trello عن العنوان ثم يجيب بالـwebhook.',
    ],
    secret: 'القيمة Secret بجانب مفتاح API',
  },
  zabbix: {
    about: 'المشكلات حين تبدأ وتنتهي.',
    steps: [
      `افتح Alerts → Media types → Create media type مع النوع Webhook والمعاملات: ${ZABBIX_PARAMETERS}`,
      `أدخل البرنامج النصي: ${ZABBIX_SCRIPT}`,
      'أعط نوع الوسيط لمستخدم، وأنشئ إجراءً يُبلغه.',
    ],
  },
  zapier: {
    about: 'كل ما يبلغ عنه Zap.',
    steps: [
      'أنشئ Zap بأي مشغّل، والإجراء Webhooks by Zapier → POST.',
      'أدخل العنوان في URL وJSON في Payload Type.',
      'أدخل في Data القيمتين `topic` و`content`، والثانية Markdown.',
    ],
    secret: `Headers في الإجراء: ${BEARER_YAML}`,
  },
  zendesk: {
    about: 'التذاكر التي تُفتح أو تتغير أو يُجاب عنها.',
    steps: [
      'افتح Admin Center → Apps and integrations → Webhooks → Create webhook واختر Trigger or automation.',
      'أدخل العنوان في Endpoint URL مع POST وJSON.',
      `في مشغّل أضف الإجراء Notify active webhook مع المحتوى: ${ZENDESK}`,
    ],
    secret: 'القيمة Signing secret التي يعرضها Zendesk مع الـwebhook',
  },
}
