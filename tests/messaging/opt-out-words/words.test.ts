/** Tests what a message says about further messages, with examples in many languages. */
import { describe, expect, test } from 'bun:test'
import { normalize, readOptOut } from '../../../src/core/opt-out-words.ts'

describe('an opt-out word', () => {
  test.each([
    ['🅂🅃🄾🄿', '🅂🅃🄾🄿'],
    ['ſtop', 'ſtop'],
    ['st\u200bop', 'st\u200bop'],
    ['stop\u00a0all', 'stop\u00a0all'],
    ['stop \t all', 'stop \t all'],
    ['opt\u2011out', 'opt\u2011out'],
    ['arre\u0302t', 'arre\u0302t'],
    [`STOP ${' '.repeat(2000)}`, 'STOP'],
    [`${'1️⃣'.repeat(600)} stop ${'🙏🏽'.repeat(600)}`, 'stop'],
    [`${'>'.repeat(60_000)} arre\u0302t\u200d ${'\ufeff'.repeat(4000)}`, 'arre\u0302t'],
  ])('is recognised in %p as %p', (text, word) => {
    expect(readOptOut(text)).toMatchObject({ isPublished: true, word })
  })

  test.each([
    'STOP STOP',
    // Cyrillic and Greek letters that look like those of STOP.
    'ЅТОР',
    'ΣΤΟΡ',
    'ends',
    'توقف',
    '停止',
    '',
    '🛑',
    `stop ${'very '.repeat(300)}`,
    'word '.repeat(13_000),
  ])('is not recognised in %p', text => {
    expect(readOptOut(text).isPublished).toBe(false)
  })

  test('in a script without cases, or from right to left, is compared unchanged, with its marks', () => {
    expect(normalize('«توقف!»')).toBe('توقف')
    expect(normalize('\u200fעצור\u200f')).toBe('עצור')
    expect(normalize('「停止」。')).toBe('停止')
    expect(normalize('हटाओ!')).toBe('हटाओ')
    expect(normalize('หยุด 🙏')).toBe('หยุด')
  })
})

describe('a text that only looks like an opt-out', () => {
  test.each([
    'please stop texting me',
    'Can you please stop',
    'STOP STOP STOP',
    'unsubscribe me',
    'opt me out',
    'remove me from your list',
    "don't text me again",
    'no more messages please',
    'leave me alone',
    'cancel my subscription',
    'Bitte keine Nachrichten mehr',
    'ich möchte mich abmelden',
    'hören Sie auf',
    'arrêtez de m’écrire',
    'je veux me désabonner',
    'quiero darme de baja',
    'no me envíe más mensajes',
    'parem de mandar mensagem',
    'ik wil me afmelden',
    'I would like to stop receiving these messages',
    "I'd like to unsubscribe",
    'Can you remove, please?',
    'S T O P',
    'un-subscribe',
    'Não quero receber mais nada',
    `Please stop texting me. ${'I have asked before. '.repeat(80)}`,
    `${'Hello. '.repeat(160)}Please stop texting me. UNSUBSCRIBE`,
  ])('%s', text => {
    expect(readOptOut(text)).toMatchObject({ isPublished: false, looksLikeOptOut: true })
  })

  test.each([
    'Where is my order?',
    'Where is the bus stop?',
    'Can I cancel my order?',
    'It will end on Friday',
    'I quit my job',
    "Please don't stop!",
    'cancel my order',
    'I want to cancel my order',
    'I want to stop by tomorrow',
    'Non-stop flights?',
    'Quero mais um',
    'Please call me',
    'STOP',
    '🙂',
  ])('%s does not', text => {
    expect(readOptOut(text).looksLikeOptOut).toBe(false)
  })
})

test('an opt-in word is recognised and is not an opt-out', () => {
  for (const text of ['START', 'start!', 'Unstop'])
    expect(readOptOut(text)).toMatchObject({ resumes: true, isPublished: false, looksLikeOptOut: false })
  expect(readOptOut('start over').resumes).toBe(false)
})
