# Prints a JSON array of booleans: the result of the example for each vector. The argument is the file of vectors.
require "json"
require_relative "../../../../src/api/receivers/verify_webhook"

vectors = JSON.parse(File.read(ARGV.fetch(0), encoding: "UTF-8")).fetch("vectors")
puts JSON.generate(vectors.map { |v| verify_webhook(v["secret"], v["header"], v["body"], v["now"]) })
