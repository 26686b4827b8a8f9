import type { Model } from '@countersign/sdk/contract'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { Link } from 'react-router-dom'
import { chat as words } from '#messages/pages/chat.ts'
import { TextField } from '../../forms/field.tsx'
import { Button } from '../../ui/controls/button.tsx'
import { type Message, replyTo } from './replies.ts'

const replyAfterMs = 1_000
const maxLength = 500

export const ChatRoom = ({ model }: { model: Model }) => {
  const { messages, isTyping, say } = useConversation()
  const [text, setText] = useState('')
  const [problem, setProblem] = useState('')
  const send = (event: FormEvent) => {
    event.preventDefault()
    if (text.trim() === '') return setProblem(words.empty)
    setProblem('')
    setText('')
    say(text.trim())
  }
  return (
    <div className="mt-6">
      <Log messages={messages} isTyping={isTyping} model={model} />
      <form onSubmit={send} noValidate className="mt-4 grid grid-cols-[minmax(0,1fr)_auto] items-start gap-3">
        <TextField
          label={words.label}
          problem={problem}
          maxLength={maxLength}
          autoComplete="off"
          value={text}
          onChange={(event) => {
            setText(event.target.value)
            setProblem('')
          }}
        />
        <Button type="submit" look="primary" className="mt-6.5">
          {words.send}
        </Button>
      </form>
      <div className="mt-2 flex flex-wrap items-center gap-2">
        <span className="text-muted text-small">{words.suggestions}</span>
        {words.questions.map((question) => (
          <Button key={question} onClick={() => say(question)}>
            {question}
          </Button>
        ))}
      </div>
    </div>
  )
}

const useConversation = () => {
  const [messages, setMessages] = useState<Message[]>([])
  const [waiting, setWaiting] = useState(0)
  const timers = useRef(new Set<ReturnType<typeof setTimeout>>())
  useEffect(() => {
    const running = timers.current
    return () => {
      for (const timer of running) clearTimeout(timer)
    }
  }, [])
  const add = (message: Omit<Message, 'id'>) => setMessages((before) => [...before, { ...message, id: before.length }])
  const say = (question: string) => {
    add({ from: 'visitor', question })
    setWaiting((count) => count + 1)
    const timer = setTimeout(() => {
      timers.current.delete(timer)
      setWaiting((count) => count - 1)
      add({ from: 'model', question })
    }, replyAfterMs)
    timers.current.add(timer)
  }
  return { messages, isTyping: waiting > 0, say }
}

const Log = ({ messages, isTyping, model }: { messages: readonly Message[]; isTyping: boolean; model: Model }) => {
  const box = useRef<HTMLDivElement>(null)
  const count = messages.length
  useEffect(() => {
    if (count > 0) box.current?.scrollTo({ top: box.current.scrollHeight })
  }, [count])
  return (
    <div
      ref={box}
      role="log"
      aria-label={words.log}
      aria-busy={isTyping}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling block must be reachable by keyboard
      tabIndex={0}
      className="grid max-h-96 min-h-48 content-start gap-3 overflow-y-auto rounded-surface border border-line bg-surface p-4 text-small sm:p-5"
    >
      {count === 0 && !isTyping && <p className="text-muted">{words.greeting}</p>}
      {messages.map((message) => (
        <Bubble key={message.id} message={message} model={model} />
      ))}
      {isTyping && <p className="text-muted">{words.typing}</p>}
    </div>
  )
}

const Bubble = ({ message: { from, question }, model }: { message: Message; model: Model }) => {
  if (from === 'model') return <Reply {...replyTo(question, model)} model={model} />
  return (
    <p className="ms-auto w-fit max-w-full rounded-surface bg-sunken px-4 py-2.5 sm:ms-12 sm:justify-self-end">
      <span className="sr-only">{words.you}: </span>
      <bdi>{question}</bdi>
    </p>
  )
}

const Reply = ({ text, link, model }: ReturnType<typeof replyTo> & { model: Model }) => (
  <div className="w-fit max-w-full rounded-surface border border-line px-4 py-2.5 sm:me-12">
    <p className="mb-1 text-micro text-muted">
      <bdi>{words.replies(model.display_name)}</bdi>
    </p>
    <p>
      <bdi>{text}</bdi>
    </p>
    {link !== undefined && (
      <>
        <Link to={link} className="link mt-1 inline-flex min-h-6 items-center">
          {words.link}
        </Link>
        <p className="mt-1 text-micro text-muted">
          {words.linkNote}{' '}
          <Link to="/sample" className="link">
            {words.samples}
          </Link>
        </p>
      </>
    )}
  </div>
)
