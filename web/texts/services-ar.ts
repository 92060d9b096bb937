import { furtherServicesAr } from './further-services-ar.ts'
import type { ServiceGuides } from './service-guide.ts'

/** Arabic texts about services. Names on the services’ own pages are left in English. */
export const servicesAr: ServiceGuides = {
  ...furtherServicesAr,
  alertmanager: {
    about: 'تنبيهات Prometheus عند بدئها وانتهائها، مجمَّعة حسب وسمها.',
    steps: [
      'في `alertmanager.yml`، أضف receiver فيه `webhook_configs`، وضع العنوان في `url`.',
      'اذكر اسم هذا الـ receiver في `route`.',
      'أعد تحميل Alertmanager.',
    ],
  },
  bitbucket2: {
    about: 'عمليات الدفع وطلبات السحب والمشكلات والتعليقات وحالة الإيداعات في Bitbucket Cloud.',
    steps: [
      'في المستودع، افتح Repository settings → Webhooks → Add webhook.',
      'أدخل عنوانًا للـ Webhook، وضع العنوان في URL.',
      'اختر الأحداث المشغِّلة ثم احفظ.',
    ],
    secret: 'الحقل Secret في الـ Webhook',
  },
  circleci: {
    about: 'مسارات العمل والمهام المنتهية.',
    steps: [
      'في المشروع، افتح Project Settings → Webhooks → Add Webhook.',
      'أدخل اسمًا، وضع العنوان في Receiver URL.',
      'اختر الأحداث ثم احفظ.',
    ],
    secret: 'الحقل Secret token في الـ Webhook',
  },
  cloudflare: {
    about: 'إشعارات من كل نوع: فحوص السلامة والشهادات والهجمات وعمليات بناء Workers.',
    steps: [
      'في الحساب، افتح Notifications → Destinations → Webhooks → Create.',
      'أدخل اسمًا، وضع العنوان في URL.',
      'أضف إشعارًا واختر الـ Webhook وجهةً له.',
    ],
    secret: 'الحقل Secret في الـ Webhook',
  },
  discord_incoming: {
    about: 'الرسائل والتضمينات من البرامج التي يمكنها إشعار Discord.',
    steps: [
      'في البرنامج، اختر Discord طريقةً للإشعار.',
      'ضع العنوان في Webhook URL. إذا كانت عناوين Discord وحدها مقبولة، فاختر هنا ذلك الشكل من العنوان.',
      'اختر ما يُشعِر به البرنامج ثم احفظ.',
    ],
  },
  forgejo: {
    about: 'عمليات الدفع والفروع وطلبات السحب والمشكلات والتعليقات والإصدارات.',
    steps: [
      'في المستودع، افتح Settings → Webhooks → Add webhook → Forgejo.',
      'ضع العنوان في Target URL، مع POST وapplication/json.',
      'اختر الأحداث ثم اضغط Add webhook.',
    ],
    secret: 'الحقل Secret في الـ Webhook',
  },
  gitea: {
    about: 'عمليات الدفع والفروع وطلبات السحب والمشكلات والتعليقات والإصدارات.',
    steps: [
      'في المستودع، افتح Settings → Webhooks → Add webhook → Gitea.',
      'ضع العنوان في Target URL، مع POST وapplication/json.',
      'اختر الأحداث ثم اضغط Add webhook.',
    ],
    secret: 'الحقل Secret في الـ Webhook',
  },
  github: {
    about: 'كل ما يحدث في مستودع أو مؤسسة: الرموز البرمجية والمراجعات والمشكلات والفحوص والتنبيهات.',
    steps: [
      'في المستودع أو المؤسسة، افتح Settings → Webhooks → Add webhook.',
      'ضع العنوان في Payload URL، واختر application/json.',
      'اختر الأحداث ثم اضغط Add webhook.',
    ],
    secret: 'الحقل Secret في الـ Webhook',
  },
  gitlab: {
    about:
      'عمليات الدفع وطلبات الدمج والمشكلات والتعليقات وخطوط الأنابيب والإصدارات وغيرها، لمشروع أو مجموعة.',
    steps: [
      'في المشروع أو المجموعة، افتح Settings → Webhooks → Add new webhook.',
      'ضع العنوان في URL.',
      'اختر الأحداث المشغِّلة ثم اضغط Add webhook.',
    ],
    secret: 'الحقل Secret token في الـ Webhook',
  },
  gogs: {
    about: 'عمليات الدفع والفروع وطلبات السحب والمشكلات والتعليقات والإصدارات.',
    steps: [
      'في المستودع، افتح Settings → Webhooks → Add a new webhook → Gogs.',
      'ضع العنوان في Payload URL، واختر application/json.',
      'اختر الأحداث ثم اضغط Add Webhook.',
    ],
    secret: 'الحقل Secret في الـ Webhook',
  },
  grafana: {
    about: 'التنبيهات عند بدئها وانتهائها، مع وسومها وقيمها. Grafana 7 مدعوم أيضًا.',
    steps: [
      'افتح Alerting → Contact points (منذ Grafana 13 ضمن Notification configuration)، واضغط Add contact point، واختر Webhook للتكامل.',
      'ضع العنوان في URL، واضغط Test، ثم احفظ.',
      'اختر نقطة الاتصال في notification policy.',
    ],
    secret: 'HMAC signature → Secret في نقطة الاتصال، مع `X-Grafana-Alerting-Timestamp` ترويسةً للطابع الزمني',
  },
  jira: {
    about: 'المشكلات والتعليقات ودورات العمل والإصدارات.',
    steps: [
      'بصفتك مسؤولًا، افتح Settings → System → WebHooks → Create a WebHook.',
      'أدخل اسمًا، وضع العنوان في URL.',
      'اختر الأحداث ثم اضغط Create.',
    ],
    secret: 'الحقل Secret في الـ Webhook',
  },
  json: {
    about: 'أي JSON كما هو. مفيد لإلقاء نظرة أولى على ما يرسله برنامج.',
    steps: [
      'في البرنامج، أدخل العنوان كعنوان للـ Webhook، مع الطريقة POST.',
      'اختر `application/json` نوعًا للمحتوى، وكائنًا أو قائمة للنص.',
      'اجعله يرسل مرة، وانظر إلى الرسالة.',
    ],
  },
  linear: {
    about: 'المشكلات والتعليقات والمشاريع ومستجداتها والدورات.',
    steps: [
      'افتح Settings → API → Webhooks → New webhook.',
      'أدخل تسمية، وضع العنوان في URL.',
      'اختر الفرق وأحداث البيانات، ثم أنشئه.',
    ],
    secret: 'الـ Signing secret الذي تعرضه Linear مع الـ Webhook',
  },
  netlify: {
    about: 'عمليات النشر عند بدئها ونجاحها وفشلها، والنماذج التي أرسلها الزوار.',
    steps: [
      'في المشروع، افتح Project configuration → Notifications → Emails and webhooks.',
      'اضغط Add notification → HTTP POST request.',
      'اختر الحدث، وضع العنوان في URL to notify، ثم احفظ.',
    ],
    secret: 'الحقل JWS secret token في الإشعار',
  },
  pagerduty: {
    about: 'الحوادث: من يتولاها، وما يجري بشأنها، وكيف تنتهي.',
    steps: [
      'افتح Integrations → Generic Webhooks (v3) → New Webhook.',
      'ضع العنوان في Webhook URL، واختر نطاقه.',
      'اختر الأحداث ثم اضغط Add Webhook.',
    ],
    secret: 'السر الذي يعرضه PagerDuty مرة واحدة عند إضافة الـ Webhook',
  },
  sentry: {
    about: 'المشكلات والأخطاء والتعليقات، وتنبيهات المشكلات والمقاييس.',
    steps: [
      'افتح Settings → Custom Integrations → Create New Integration → Internal Integration.',
      'ضع العنوان في Webhook URL، وفعِّل Alert Rule Action، وامنحه Read في Issue & Event، واختر الـ Webhooks، ثم احفظ.',
      'للتنبيهات، اختر التكامل إجراءً في Alert Rules.',
    ],
    secret: 'الـ Client Secret الذي يعرضه Sentry مع التكامل',
  },
  slack_incoming: {
    about: 'الرسائل والكتل والمرفقات من البرامج التي يمكنها إشعار Slack.',
    steps: [
      'في البرنامج، اختر Slack طريقةً للإشعار.',
      'ضع العنوان في Webhook URL. إذا كانت عناوين Slack وحدها مقبولة، فاختر هنا ذلك الشكل من العنوان.',
      'اختر ما يُشعِر به البرنامج ثم احفظ.',
    ],
  },
  stripe: {
    about: 'المدفوعات والعملاء والاشتراكات والفواتير والتحويلات والنزاعات.',
    steps: [
      'افتح Workbench → Webhooks → Create new destination.',
      'اختر الأحداث، وWebhook endpoint نوعًا.',
      'ضع العنوان في Endpoint URL، ثم اضغط Create destination.',
    ],
    secret: 'الـ Signing secret (`whsec_…`) الذي تعرضه Stripe مع الوجهة',
  },
  template: {
    about: 'أي JSON من أي خدمة، يتحول إلى رسالة بقالب تكتبه أنت.',
    steps: [
      'انسخ ما ترسله الخدمة إلى نموذج البيانات هنا.',
      'اكتب قالبي الموضوع والنص، واطّلع على المعاينة، ثم احفظهما.',
      'أدخل العنوان كعنوان للـ Webhook في الخدمة.',
    ],
    secret: 'سر التوقيع لخدمة توقِّع وفق Standard Webhooks أو باستخدام `X-Hub-Signature-256`',
  },
  uptimerobot: {
    about: 'أجهزة المراقبة عند تعطلها وعودتها، والشهادات التي تنتهي صلاحيتها.',
    steps: [
      'افتح Integrations & API → Webhook → Add، وضع العنوان، متبوعًا بـ `&`، في URL to notify.',
      'أرسل بصيغة JSON: `{"monitorFriendlyName": "*monitorFriendlyName*", "monitorURL": "*monitorURL*", "alertTypeFriendlyName": "*alertTypeFriendlyName*", "alertDetails": "*alertDetails*", "alertDateTime": "*alertDateTime*"}`',
      'اختر التكامل في أجهزة المراقبة.',
    ],
  },
}
