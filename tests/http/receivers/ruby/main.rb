# Prints what the example makes of each vector: a JSON array of booleans. The file of vectors is the one argument.
require "json"
require_relative "../../../../src/http/receivers/verify_webhook"

vectors = JSON.parse(File.read(ARGV.fetch(0), encoding: "UTF-8")).fetch("vectors")
puts JSON.generate(vectors.map { |v| verify_webhook(v["secret"], v["header"], v["body"], v["now"]) })
