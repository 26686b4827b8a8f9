import type { DeclaredSigner } from '@countersign/sdk/contract'
import { describe, expect, it } from 'vitest'
import {
  createProtection,
  fitIssuer,
  fitLabel,
  fitNames,
  fitSubject,
  holdsOthersDomain,
  identifierProblem,
  isFitModel,
  isFitSigner,
  namesOthersDomain,
  problemTogether,
  shortenedFit,
  skeletonOf,
} from './rules.ts'

const [other, own] = [['rival.example'], ['rival.example', 'chat.acme.example']]

describe('a name', () => {
  it.each([
    'Acme (acme.example)',
    'acme .example',
    'acme. example',
    'acme . example',
    'acme,example',
    'acme:example',
    'acme..example',
    'acmeꞏexample',
    'acmeㆍexample',
    'acme丶example',
    'acmeˌexample',
    'acme\u{1d16d}example',
    'acme\u0358example',
    'acme\u302eexample',
    'acmeꓸexample',
    'acme.ꬲxampǀe',
    'Acme. Example',
    'ACME . EXAMPLE',
    '(acme).example',
    "'acme'.(Example)",
    'acme-.-example',
    'acme dot example',
    'Acme (dot) Example',
    'www acme example',
    'www.acme Example Inc.',
    'Acme.ехамрӏе',
  ])('contains the domain of another: %s', (name) => {
    expect(holdsOthersDomain(name, other)).toBe(true)
    expect(holdsOthersDomain(name, own)).toBe(false)
  })

  it.each([
    'OpenAI. Com',
    '(openai).com',
    'OpenAI.СОМ',
    'OpenAI. СОМ',
    'OpenAI.c0m',
    'openai.cꬽm',
    'lo\u0358com',
    'ꓳꓑꓰꓠꓮꓲꓸꓚꓳꓟ',
    'OpenAI.corn',
    'OpenAI (openai.clev)',
    'openai.cle',
    'openai.cIev',
    'Atlas openai.clevGPT',
    'Atlas openai.c0mGPT',
    'Atlas (openai.cornGPT)',
    'Atlas openai.cornChat',
    'Atlas openai.corn5',
    'Atlas openai.c0m5',
    'OpenAI.C0M5',
    'OpenAI.0RG2',
    'Perplexity.AIResearch',
    'GitHub.IOPages',
    'Atlas openai.c0m的',
    'Atlas openai.cleG',
    'mistral.a1GPT',
    'mistral.aIGPT',
    'deepmind.g00gle',
    'cloud.rnicrosoft',
    'Mistral.A!',
    'openai.!o',
    'OpenAI dotcom',
    'openai-dotcom',
    'OpenAI DotCom',
    'openaidotc0m',
    'openai d0tc0m',
    'openai dotcorn',
    'Mistral dot A!',
    'Mistral. A!',
    'mistral (.a!)',
    'openai .!o',
    'Mistral.AIChat',
    'OpenAI.NETChat',
    'OpenAI. la Plateforme',
    'OpenAI. de Chat',
    'OpenAI.COMChat',
    'deutsche-bank. de',
    'openai dot com',
    'OpenAI Dot Com',
    'Mistral dot ai',
    'Mistral Dot ai',
    'Mistral (Dot) AI',
    'MISTRAL DOT AI',
    'Deepmind dot google',
    'deutsche-bank dot de',
    'bbc dot co dot uk',
    'Mistral punto ai',
    'OpenAI Punto Com',
    'OpenAI точка com',
    'OpenAI точка ком',
    'Mistral (точка) ai',
    'openai닷com',
    'OpenAI닷컴',
    'OpenAI 닷컴',
    'OpenAIドットcom',
    'OpenAIドットコム',
    'OpenAI ﾄﾞｯﾄｺﾑ',
    'OpenAI點com',
    'Mistral. AI',
    'X. AI',
    'Deepmind. Google',
    'mistral (.ai)',
    'mistral-.ai',
    'www mistral ai',
    'Acme. Net',
    'acme .shop',
    'Acme.sh',
  ])('of a company contains the domain of another: %s', (name) => {
    expect(holdsOthersDomain(name, other)).toBe(true)
  })

  it.each([
    'A.I. Labs',
    'Acme Labs. Inc',
    'Smith, Co',
    'Acme: AI',
    'Acme 2.0 ai',
    'St. Acme',
    'Acme Co. Ltd',
    'Acme Corp. Systems',
    'Blue Dot AI',
    'Red Dot Design',
    'Humans vs. AI',
    'Acme. De Luxe',
    'Acme. AI for everyone',
    'Acme Inc. AI',
    'Acme Ltd. UK',
    'Acme S.A. de C.V.',
    'Smith Bros. Co',
    'A.I. Dev',
    'J. Apple',
    'Dot Com Agency',
    'Ada Dotcom',
    'Gebr. de Jong',
    'Cía. de Seguros',
    'Fund. la Torre',
    'Acme.AIR',
    'Acme.AIRline',
    'gpu.A100',
    'Acme.A14B',
    'server g5.a10g',
    'Acme 2.1024-beta',
    'Acme-1.105b',
    'v1.1012-mini',
    'step.1000',
    'Acme 3.100B-x',
    'Dotcom Agency',
    'Müller GmbH & Co.KG',
    'Acme Co.Ltd',
    'Acme Pte.Ltd',
    'Acme Pvt.Ltd',
    'The .NET Guild',
    'ASP.NET Consulting',
    'Acme 2.ORGANS',
    'Acme punto de venta',
    'Fiat Punto AI',
    'Торговая точка',
    'Acme точка роста',
    'Acme ドット絵',
    'Acme 닷새',
    'Comet. Organic Labs',
    'Acme Inc.',
    'Wow! Labs',
    'J. Smith & Co., Ltd.',
    'Hō\u0358 O\u0358-ông',
  ])('contains no domain: %s', (name) => {
    expect(holdsOthersDomain(name, other)).toBe(false)
  })
})

it.each([
  ['Mistral', 'Mistraǀ'],
  ['Global Lab', 'Gǀobal Lab'],
  ['Countersign', 'Cꬽuntersign'],
  ['Verified', 'Veꭈifiꬲd'],
  ['Acme Labs', 'Acmʼe Labs'],
  ['OpenAI', 'ꬽpꬲnai'],
  ['Lotus', '𐌉𐊒𐌕𐓎𐊖'],
  ['Hood', 'Hooð'],
  ['DeepMind', 'DeepMincl'],
  ['DeepMind', 'DeepMincI'],
  ['Midjourney', 'Micljourney'],
  ['Redwood Data', 'Reclwood c1ata'],
  ['Acme Cloud', 'acme cloud'],
  ['Cia', 'CIA'],
  ['Oracle', 'OracIe'],
  ['Claude', 'C!aude'],
  ['Notion', 'No+ion'],
  ['Claude', 'C!AUDE'],
  ['Northwind', 'ООО Northwind'],
  ['Northwind', 'Northwind GmbH und Co. KG'],
  ['Acme AI', 'Acme+AI'],
  ['Acme AI', 'Acme!AI'],
  ['Orbit AI', 'O+r+b+i+t AI'],
  ['Acme AI', 'Acme A!'],
  ['Acme AI', 'Acme+A!'],
  ['Intel', '!ntel+'],
  ['OpenAI', 'O+p+e+n+A!'],
  ['Northwind', 'Northwind 주식 회사'],
  ['Microsoft', '+Microsof+'],
  ['Microsoft', '!Microsof+'],
  ['Northwind', 'ПАО Northwind'],
  ['Northwind', 'Northwind ЗАО'],
  ['Northwind', 'UAB Northwind'],
  ['Northwind', '(株)Northwind'],
  ['Northwind', 'Northwind㈱'],
  ['Northwind', 'Northwind 株式 会社'],
  ['Acme AI', 'AcmeA！'],
  ['Intel', '!ntel'],
  ['Microsoft', 'Microsof+'],
  ['Northwind', '+he Northwind'],
  ['Northwind', 'Northwind, PBC'],
  ['Northwind', 'Northwind P.B.C.'],
  ['Northwind', 'Northwind Public Benefit Corporation'],
  ['Northwind', 'Northwind Limited Liability Company'],
  ['Northwind', 'Northwind OÜ'],
  ['Northwind', 'Northwind Sdn. Bhd.'],
  ['Northwind', 'Northwind Sp. z o.o.'],
  ['Northwind', 'Northwind S.A. de C.V.'],
  ['Northwind', 'Northwind e.V.'],
  ['Northwind', 'Northwind ООО'],
  ['Northwind', 'Northwind株式会社'],
  ['Northwind', '株式会社Northwind'],
  ['Northwind', 'Northwind Ltcl'],
  ['Northwind', 'Northwind Lirnited'],
  ['Northwind', 'Northwincl Holclings'],
  ['Claude', 'CIaude'],
  ['Claude', 'Çlaude'],
  ['Claude', 'C-laude'],
  ['Claude', 'Сlaude'],
] as const)('protects the name %s from %s', (name, stated) => {
  const { isOthers } = createProtection([{ name, domain: 'acme.example' }])
  const stored = { name: stated, skeleton: skeletonOf(stated) }
  expect(isOthers(stored, 'rival.example')).toBe(true)
  expect(isOthers(stored, 'acme.example')).toBe(false)
})

it.each([
  ['Kühne+Nagel', 'Kühne + Nagel'],
  ['Yahoo!Japan', 'Yahoo! Japan'],
  ['C+A', 'C&A'],
  ['Orbit AI', 'ORB!T AI'],
  ['Orbit AI', 'Orbit A!'],
  ['OrbitAI', 'OrbitA!'],
  ['株式会社', '株式会社'],
] as const)('%s looks like %s', (one, other) => {
  expect(skeletonOf(one)).toBe(skeletonOf(other))
})

it.each(['Yahoo!', 'Disney+', 'Canal+ Sport', 'Kühne+Nagel', 'Acme EVs', 'Northwind & Partners'])(
  'accepts a name that only resembles a protected one: %s',
  (stated) => {
    const { isOthers } = createProtection([
      { name: 'Acme AI', domain: 'acme.example' },
      { name: 'Northwind', domain: 'northwind.example' },
    ])
    expect(isOthers({ name: stated, skeleton: skeletonOf(stated) }, 'rival.example')).toBe(false)
  },
)

const han = '面向开发者和企业客户的多语言智能对话助手模型系列之一专为微软产品用户群体打造'.slice(0, 37)

it.each([
  { text: 'Atlas Chat 1.0', cut: 'Atlas Chat 1.0' },
  { text: 'GPT-5, the chat assistant of everyone else 1.0', cut: 'GPT-5, the chat assistant of everyone…' },
  { text: 'Assistant powered by Mistral. AI Research 1.0', cut: 'Assistant powered by Mistral.…' },
  { text: `${han}官网络运维助手`, cut: `${han}官…` },
  { text: `${han}公式识别模型`, cut: `${han}公…` },
  { text: 'thechatmodelformicrosoftazureusersonlyレーザー', cut: 'thechatmodelformicrosoftazureusersonly…' },
  { text: `#3 ${'a'.repeat(40)}`, cut: '#…' },
  { text: 'second.example model by Mistral. AI Research 1.0', cut: 'second.example model by Mistral.…' },
  { text: '[x] Assistant powered by Mistral. AI Research 1.0', cut: '[x] Assistant powered by Mistral.…' },
  // Rules that came later: the whole is not fit either.
  { text: 'Officially verified by OpenAI and by everyone else', cut: 'Officially verified by OpenAI and by…' },
])('$text is cut to $cut', ({ text, cut }) => {
  expect(shortenedFit(text, 40, 'model')).toBe(cut)
})

describe('a name as it is quoted', () => {
  it.each([
    "Mistral'.ai",
    'mistral.’ai',
    "mistral'.co.uk",
    'Labs of deepmind’.google',
    'deepmind\u0374.google',
    "w''ww acme com",
    "acme d''ot com",
  ])('contains the domain of another: %s', (name) => {
    for (const of of ['company', 'model', 'label'] as const)
      expect(holdsOthersDomain(name, ['acme.example'], of), of).toBe(true)
  })

  it('looks like another', () => {
    expect(skeletonOf('Northwind\u0374 Labs')).toBe(skeletonOf('Northwind Labs'))
    expect(skeletonOf("Northwind' Labs")).toBe(skeletonOf('Northwind Labs'))
  })
})

describe('a domain of another before the own one', () => {
  it.each([
    'OpenAI, openai.com. chat.acme.example is our chat',
    'openai.com .acme.example',
    'openai.com . acme.example',
    'openai.com,acme.example',
    'openai.com:acme.example',
    'openai.com..acme.example',
    'openai.com. our chat is at acme.example',
    'OpenAI. Com .acme.example',
    '(openai).com .acme.example',
    'openai dot com .acme.example',
    'www openai com .acme.example',
    'openai.shop .acme.example',
  ])('is in the name of a company: %s', (name) => {
    expect(holdsOthersDomain(name, ['acme.example'])).toBe(true)
    expect(holdsOthersDomain(name, ['acme.example', 'openai.com', 'openai.shop'])).toBe(false)
  })

  it.each([
    'GPT-5 by openai.com (.example.acme.example)',
    'openai.com/.com.acme.example',
    'openai.com:com.acme.example',
    'openai.com..acme.example',
    'openai dot com (.com.acme.example)',
    'openai,com . com.acme.example',
  ])('is in the name of a model: %s', (name) => {
    expect(holdsOthersDomain(name, ['acme.example'], 'model')).toBe(true)
    expect(holdsOthersDomain(name, ['acme.example', 'openai.com'], 'model')).toBe(false)
  })

  it.each([
    'repo:acme/chat:environment:openai.com .io.acme.example',
    'repo:acme/chat:environment:openai.com/.io.acme.example',
    'repo:acme/chat:environment:openai.com..acme.example',
  ])('is in the subject of a platform: %s', (subject) => {
    expect(fitSubject(subject, 'acme.example')).toBe(null)
  })

  it.each([
    'Atlas by acme.example',
    'Atlas (acme. Example)',
    'Atlas, io.acme.example',
    'com.acme.example: Atlas',
    'Chat... acme.example',
    'openai.com.acme.example',
  ])('is not in %s', (name) => {
    for (const of of ['company', 'model', 'label'] as const)
      expect(holdsOthersDomain(name, ['acme.example'], of), of).toBe(false)
  })
})

describe('a domain in a name', () => {
  const ownOf = (domain: string) => [new URL(`https://${domain}`).hostname]

  // The first is Cyrillic in part, the second whole, then Greek, Armenian, and Latin with marks.
  it.each(['аcme.example', 'асме.example', 'αcme.example', 'օsօ.example', 'àcmé.example', 'асме.ехамрӏе'])(
    'is that of another if it looks like ASCII, even if it is the own one: %s',
    (domain) => {
      expect(holdsOthersDomain(`Labs (${domain})`, ownOf(domain))).toBe(true)
      expect(holdsOthersDomain(`Labs of ${domain}`, ownOf(domain), 'model')).toBe(true)
    },
  )

  it.each(['пример.example', '例え.example', 'δοκιμή.example'])(
    'is the own one if it does not look like ASCII: %s',
    (domain) => {
      expect(holdsOthersDomain(domain, ownOf(domain))).toBe(false)
      expect(holdsOthersDomain(domain, other)).toBe(true)
    },
  )

  it('is the own one in its ASCII form', () => {
    const [own = ''] = ownOf('àcmé.example')
    expect(holdsOthersDomain(own, [own])).toBe(false)
    expect(holdsOthersDomain('àcmé.example', [own, 'acme.example'])).toBe(false)
  })

  it.each(['Пример', '例え株式会社', 'Асме', 'Müller', 'Пример Лтд.'])('is not in a name without one: %s', (name) => {
    expect(holdsOthersDomain(name, other)).toBe(false)
  })
})

describe('a name, version or label of a model', () => {
  it.each([
    'GPT by acme.example',
    'GPT by acme. Example',
    'GPT (acme).example',
    'GPT by acme dot example',
    '2.0-acme.example',
    '2.0:acme.example',
    'https://chat.acme.example/gpt',
  ])('contains the domain of another: %s', (name) => {
    expect(holdsOthersDomain(name, other, 'model')).toBe(true)
    expect(holdsOthersDomain(name, [...own, '0-acme.example'], 'model')).toBe(false)
  })

  it.each([
    'GPT by openai.com',
    'OpenAI. Com GPT',
    '1.0 by openai.com',
    '1.0 (x.ai)',
    'Yi by 01.ai',
    'Made by 163.com',
    'Atlas by acme.pt',
    'Atlas by acme.co.uk',
    'Atlas by acme.shop',
    'Atlas by acme.github.io',
    'GPT by OpenAI.СОМ',
    'GPT by openai,com',
    'GPT by openai:com',
    'Gemini by googleapis.com',
    'Atlas by github.io',
    'googleapis.com.evil.com',
    'Notion AI by notion.so',
    'Notion AI by chat.notion.so',
    'Notion AI https://notion.so/ai',
    'uv by astral.sh',
    'Assistant of www.1password.eu',
    'NEO by 1x.tech',
    'Zhinao by 360.cn',
    'Zhinao v2.360.com',
    'Yi 2.01.ai',
    'UI by v0.dev',
    'GPT by 21.co',
    '01.ai',
    '360.com',
    'Zhinao v2.360.de',
    '2.0-acme.com',
    'notion.so',
    'chat.notion.so',
    '1x.tech',
    'GPT by www.open1.chat',
    'GPT //open1.chat',
    'Gemini 2.5-deepmind.google',
    'Chat 1.0-deutsche-bank.de',
    'Claude 4.5-anthropic.app',
    'GPT 4.1-openai.chat',
    'Copilot 1.0-cloud.microsoft',
    '2.5-deepmind.google',
    '5.1-openai.de',
    'gemini2.google',
    'gemini-1.5.google',
    'office365.microsoft',
    'nova2.aws',
    'claude4.app',
    'llama3.chat',
    'gemma-7b.chat',
    '3m.app',
    'openai.mini',
    'chat.openai.prod',
    'gpt.4o.mini',
    '1.0.0-rc.1.dev',
    '1.0.0-rc.1.prod',
    '2024.1-beta.dev',
    '2.1.100.pro',
    'yolov8n.pt',
    'train.py',
    'model.zip',
    'libllama2.so',
    'google-ml.net',
    'google.ml.net',
    'ML.NET.ai',
    'behance .net',
    'mistral (.ai)',
    'Mistral (.Shop)',
    'mistral/.ai',
    'Deepmind .google',
    'ChatGPT by OpenAI.com-5',
    'OpenAI.com5',
    'OpenAI.comGPT',
    'www.openai.com-x',
    'mistral.ai-chat',
    'openai.co.uk-x',
    'openai.com的聊天',
    '由openai.com提供',
    'openai点com',
    'openai닷com',
    'OpenAIドットコム',
    'gpt by mistral punto ai',
    'openai d0t com',
    'Yi 01.ai-x',
  ])('contains the domain of another: %s', (name) => {
    expect(holdsOthersDomain(name, other, 'model')).toBe(true)
  })

  it.each([
    'Llama-3.1',
    'Node.js',
    'v2.0.app',
    'v2.app',
    'model.cpp',
    'whisper.cpp 1.7',
    'yolo.v8',
    '1.0.post1',
    'v2.1.build-7',
    'qwen2.5-coder',
    'Phi-3.5-mini-instruct',
    'Mixtral-8x7B-v0.1',
    'text-embedding-3.large-v2',
    'Node.js-20',
    'llama.cpp-b4500',
    '聊天2.0版',
    'gemma-1.1.de',
    '4.pro',
    'Qwen2.5-72B.Q4_K_M.gguf',
    'FLUX.1-dev',
    'Phi-3.5-mini',
    'gemini-1.5.pro',
    'llama3:chat',
    'qwen:0.5b-chat',
    '2025.11.prod',
    '1.0.0-rc.1',
    '1.0.dev',
    'v1.10.de',
    'v1.10.ai',
    '2.12.fr',
    '2026.11.eu',
    '2026.05.eu',
    'gemma-2.5.it',
    'gemma-3.27b.it',
    'Llama-3.1-8B.de',
    '2.10',
    'v1.10 io',
    'corn.2',
    'Atlas, com',
    'ML.NET helper',
    'Built with ASP.NET.',
    'Loader for .pt',
    'Converter (.md)',
    'Assistant for .NET 9',
    'Atlas. Fast and small',
    'Atlas, fast',
    'Polka dot',
    'A.I. Chat',
    'anthropic.claude-3-sonnet-20240229-v1:0',
    'arn:aws:iam::123456789012:role/acme-chat',
    'system:serviceaccount:prod:chat',
    'chat.prod.svc.cluster.local',
  ])('contains no domain: %s', (name) => {
    expect(holdsOthersDomain(name, other, 'model')).toBe(false)
  })
})

describe('a name and the version after it', () => {
  const named = (display_name: string, version: string, api_model_identifier = 'chat') => ({
    display_name,
    version,
    api_model_identifier,
    version_number: 3,
    model_name: 'Chat',
    family_name: null,
  })

  it.each([
    named('GPT-5 by openai', '.com'),
    named('GPT-5 by openai', 'dot com'),
    named('GPT-5 by openai.', 'com'),
    named('GPT-5 (www openai', 'com)'),
    named('Chat', '.com', 'gpt-5-by-openai'),
    named('Chat by mistral', '.ai'),
    named('Chat by Mistral.', 'AI'),
  ])('contain a domain only together: $display_name, $api_model_identifier, $version', (names) => {
    expect(namesOthersDomain(names, ['acme.example'])).toBe('version')
    expect(isFitModel(names, ['acme.example'])).toBe(false)
    expect(problemTogether(names, ['acme.example'])).toContain('domain')
    expect(fitNames(names, ['acme.example'])).toEqual({ ...names, version: '#3' })
    const own = ['openai.com', 'mistral.ai', 'chat.ai', 'chat.com', 'gpt-5-by-openai.com']
    expect(fitNames(names, own)).toEqual(names)
    expect(isFitModel(names, own)).toBe(true)
  })

  it.each([
    named('OpenAI Trust and', 'Safety 5'),
    named('GPT-5 đã xác', 'minh'),
    named('GPT-5 تم', 'التحقق'),
    named('GPT-5 Veri', 'fied'),
    named('GPT', 'fied 5', 'chat-veri'),
  ])('say only together what only the registry may say: $display_name, $api_model_identifier, $version', (names) => {
    expect(problemTogether(names, [])).toContain('Only the registry may say')
    expect(isFitModel(names, [])).toBe(false)
  })

  it.each([
    named('Atlas Chat', '1.0.0'),
    named('Atlas', 'v2 (stable)'),
    named('Llama 3.1', '8b-instruct'),
    named('Атлас', 'beta'),
    named('アトラス', '2'),
    named('Atlas by acme.example', '1.0.0', 'atlas-acme'),
    named('Atlas for', '.NET 9'),
  ])('are fit together: $display_name, $version', (names) => {
    expect(problemTogether(names, ['acme.example'])).toBeUndefined()
    expect(isFitModel(names, ['acme.example'])).toBe(true)
    expect(fitNames(names, ['acme.example'])).toEqual(names)
  })

  it('are not judged together if one of them is already unfit', () => {
    expect(problemTogether(named('Verified GPT', '5'), [])).toBeUndefined()
    expect(fitNames(named('GPT by openai.com', '5'), [])).toMatchObject({ display_name: 'chat', version: '5' })
    expect(fitNames(named('GPT by openai.com', '.io', 'open-ai'), [])).toMatchObject({
      display_name: 'open-ai',
      version: '#3',
    })
  })

  it('are replaced by the number if the identifier contains a domain as well', () => {
    const names = named('GPT by openai.com', '5', 'gpt-by-openai-dot-com')
    expect(fitNames({ ...names, model_name: 'openai.com' }, [])).toMatchObject({
      display_name: '#3',
      model_name: '#3',
      version: '5',
    })
  })
})

describe('a new identifier', () => {
  it.each([
    'chat-verified',
    'Official_chat',
    'gpt-5-by-openai-dot-com',
    'www-openai-com',
    'gpt_www_openai_com',
    'openai_dot_com',
    'openai-d0t-com',
    'mistral-punto-ai',
    'openai_punto_com',
  ])('is rejected: %s', (identifier) => {
    expect(identifierProblem(identifier, ['acme.com'])).toBeDefined()
  })

  it.each(['chat-verifier', 'acme-dot-com', 'acme-chat', 'llama-3-1-8b', 'polka-dot', 'dot-matrix-2'])(
    'is accepted: %s',
    (identifier) => {
      expect(identifierProblem(identifier, ['acme.com'])).toBeUndefined()
    },
  )
})

describe('the subject of a platform', () => {
  it.each([
    '1122334455',
    'repo:acme/chat:ref:refs/heads/main',
    'repo:acme/chat:environment:production',
    'project_path:acme/chat:ref_type:branch:ref:main',
    'owner:acme:project:chat:environment:production',
    'chat@acme-prod.iam.gserviceaccount.com',
    'arn:aws:iam::123456789012:role/chat',
    'system:serviceaccount:prod:chat',
    'chat@acme.example',
    'repo:acme/chat:ref:refs/tags/v1.0.post1',
    'repo:acme/chat:ref:refs/heads/début',
  ])('is shown: %s', (subject) => {
    expect(fitSubject(subject, 'chat.acme.example')).toBe(subject)
  })

  it.each([
    'system:serviceaccount:chat.openai.com:default',
    'system:serviceaccount:default:chat.openai.com.amazonaws.com',
    'chat.openai.com@acme-prod.iam.gserviceaccount.com',
    'chat@openai.com.iam.gserviceaccount.com',
    'repo:rival/chat.openai.com:ref:refs/heads/main',
    'ceo@openai.com',
    'repo:acme/openai☃.com:pull_request',
    'repo:acme/chat:environment:openai%2Ecom',
    'repo:acme/chat:environment:verif%69ed',
    'repo:acme/chat:environment:openai%252Ecom',
    'repo:acme/chat:environment:%E9openai%2Ecom',
    'repo:acme/openai%252Ecom%ff',
    'repo:acme/openai.%63om%ff',
    'repo:acme/chat:environment:openai[.]com',
    'system:serviceaccount:verified:chat',
    'repo:official-openai/chat:pull_request',
    'repo:acme/openai.com-chat:pull_request',
    'repo:acme/chat:ref:refs/heads/éopenai.comé',
    'repo:acme/chat:ref:refs/heads/éverifiedé',
  ])('is withheld, because a customer of the platform chose it: %s', (subject) => {
    expect(fitSubject(subject, 'chat.acme.example')).toBe(null)
  })
})

it.each(['repo:acme/chat:environment:50%25ab', 'repo:acme%2Fchat:ref', 'repo:acme/infra:ref:refs/tags/gpu.A100'])(
  'the subject %s is shown',
  (subject) => expect(fitSubject(subject, 'acme.example')).toBe(subject),
)

describe('the issuer of a platform', () => {
  it.each([
    'https://gitlab.com',
    'https://container.googleapis.com/v1/projects/acme-prod/locations/us-central1/clusters/chat',
    'https://oidc.eks.us-east-1.amazonaws.com/id/0123456789ABCDEF0123456789ABCDEF',
    'https://login.microsoftonline.com/0b1e7d1a-0000-4000-8000-1234567890ab/v2.0',
    'https://oidc.vercel.com/acme',
    'https://ci.example/chat.acme.example',
  ])('is shown: %s', (issuer) => {
    expect(fitIssuer(issuer, 'acme.example')).toBe(issuer)
  })

  it.each([
    'https://oidc.vercel.com/openai-officially-verified',
    'https://container.googleapis.com/v1/projects/verified_by_openai/locations/us-central1/clusters/chat',
    'https://ci.example/openai.com',
    'https://ci.example/openai%2Ecom',
    `https://ci.example/${'a.b/'.repeat(100)}`,
  ])('is named by its host alone, because its customers chose the path: %s', (issuer) => {
    expect(fitIssuer(issuer, 'acme.example')).toBe(new URL(issuer).host)
  })
})

describe('a signer that was only declared', () => {
  const [google, github] = ['https://accounts.google.com', 'https://token.actions.githubusercontent.com']
  const of = (issuer: string, identity: string) => ({ kind: 'identity', issuer, identity }) as const
  const at = (repository: string, workflow?: string) =>
    ({ kind: 'repository', issuer: github, repository, workflow }) as const
  const kept = ['acme.example', 'acme.test']

  it.each<DeclaredSigner>([
    of(google, 'release@acme.example'),
    of(google, 'release@mail.acme.test'),
    of('https://ci.acme.example', 'release'),
    of(github, 'https://github.com/acme/chat/.github/workflows/release.yml@refs/heads/main'),
    at('https://github.com/acme/chat'),
    at('https://git.acme.example/chat', '.github/workflows/release.yml'),
    { kind: 'key', public_key: 'verified by openai.com' },
  ])('is shown: %o', (signer) => {
    expect(isFitSigner(signer, kept)).toBe(true)
  })

  it.each<DeclaredSigner>([
    of(google, 'release@openai.com'),
    of(google, 'verified release of OpenAI'),
    of('Verified by OpenAI', 'release@acme.example'),
    of('https://openai.com', 'release@acme.example'),
    of('https://accounts.google.com.openai.com', 'release@acme.example'),
    at('https://git.openai.com/chat'),
    at('https://github.com/acme/openai.com'),
    at('https://github.com/acme/chat', '.github/workflows/verified-by-openai.yml'),
    of(google, 'a.b '.repeat(512)),
  ])('is withheld: %o', (signer) => {
    expect(isFitSigner(signer, kept)).toBe(false)
  })
})

describe('a cloud label', () => {
  it.each([
    'azure.com',
    'AZURE.COM',
    'https://azure.com',
    'urn:azure.com',
    'uri:https://azure.com',
    'https:/azure.com',
    '(https://azure.com)',
    'https://https:azure.com',
    'did:web:azure.com',
    'spiffe:azure.com',
    'spiffe:/openai.azure.com/chat',
    '(spiffe://openai.azure.com/chat)',
    'a spiffe://openai.azure.com/chat',
    'urn:spiffe:openai.azure.com',
    ' azure.com',
    'spiffe://azure.com/chat',
    ' spiffe://azure.com/chat',
    'spiffe:///openai.azure.com/chat',
    'uri:spiffe://openai.azure.com/chat',
    'spiffe://openai.azure.com/chat',
    'spiffe://openai.azure.com-prod/chat',
    'spiffe://openai.azure.com.internal/chat',
    'spiffe://bedrock.amazonaws.com./x',
  ])('is withheld, because it names a platform: %s', (label) => expect(fitLabel(label, 'acme.example')).toBe(null))

  it.each([
    'ecs-tasks.amazonaws.com',
    'prod of chat.azure.com',
    'urn:prod:azure.com',
    'https://chat.acme.example/azure.com',
    'uri:spiffe://chat.acme.example/azure.com',
    'spiffe://chat.acme.example/azure.com',
    'spiffe://azure.com.acme.example/chat',
  ])('is shown: %s', (label) => expect(fitLabel(label, 'acme.example')).toBe(label))

  it.each([
    'ecs-tasks.amazonaws.com',
    'chat.iam.gserviceaccount.com',
    '/subscriptions/1/resourceGroups/chat/providers/Microsoft.App/containerApps/chat',
  ])('contains the domain of a platform, and no other: %s', (label) => {
    expect(holdsOthersDomain(label, other, 'label')).toBe(false)
    expect(holdsOthersDomain(`${label}.openai.com`, other, 'label')).toBe(true)
    expect(holdsOthersDomain(`${label} openai.com`, other, 'label')).toBe(true)
    for (const host of ['notion.so', 'auth0.app', 'v2.app']) {
      expect(holdsOthersDomain(host, other, 'label')).toBe(true)
      expect(fitSubject(`system:serviceaccount:prod:${host}`, 'chat.acme.example')).toBe(null)
    }
  })
})
